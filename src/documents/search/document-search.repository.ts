import { Injectable } from '@nestjs/common';
import { type TenantTransaction } from '../../database/tenant-transaction.js';
import { type Position } from '../../http/cursor-codec.js';
import { type Caller } from '../../tenancy/caller.js';
import { Values } from '../../tenancy/visibility.js';
import { type DocumentView, DocumentsRepository } from '../documents.repository.js';
import { type DocumentSearch, searchStatement, termsOf } from './search-statement.js';
import { type Term, countSql, needsCounts, plansFor } from './search-terms.js';

/** Lists of documents across files, newest first (docs/adr/0016). */
@Injectable()
export class DocumentSearchRepository {
  constructor(private readonly documents: DocumentsRepository) {}

  /** One row more than `limit`, to tell whether there is a further page. */
  async find(
    tx: TenantTransaction,
    caller: Caller,
    search: DocumentSearch,
    after: Position | null,
    limit: number,
  ): Promise<DocumentView[]> {
    const terms = termsOf(search);
    const counts = needsCounts(terms) ? await this.count(tx, terms) : [];
    let found: DocumentView[] = [];
    for (const plan of plansFor(terms, counts, caller.has('files.read'))) {
      const { text, values, planEachTime } = searchStatement(
        caller,
        search,
        plan,
        { after, rows: limit + 1 },
        (bind) => this.documents.viewColumns(caller, bind),
      );
      found = await tx.query<DocumentView>(text, values, { planEachTime });
      if (found.length > limit) break;
    }
    return found;
  }

  private async count(tx: TenantTransaction, terms: readonly Term[]): Promise<(number | null)[]> {
    const values = new Values(tx.tenantId);
    const counts = terms.flatMap((term, index) =>
      term.isCountable ? [`${countSql(term, values.bind)} AS "${index}"`] : [],
    );
    if (counts.length === 0) return [];
    const [row] = await tx.query<Record<string, number>>(`SELECT ${counts.join(', ')}`, values.list, {
      planEachTime: true,
    });
    return terms.map((_, index) => row?.[index] ?? null);
  }
}
