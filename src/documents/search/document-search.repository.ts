import { Injectable } from '@nestjs/common';
import { type TenantTransaction } from '../../database/tenant-transaction.js';
import { type Position } from '../../http/cursor-codec.js';
import { type ResolvedCondition } from '../../metadata-conditions/metadata-conditions.reader.js';
import { type Caller } from '../../tenancy/caller.js';
import {
  type Bind,
  type DocumentSource,
  Values,
  binShown,
  visibleDocumentPage,
  visibleFiles,
} from '../../tenancy/visibility.js';
import { type DocumentStatus } from '../document.entity.js';
import { type DocumentView, DocumentsRepository } from '../documents.repository.js';
import { absenceSql, conditionTerm } from './condition-terms.js';
import {
  type Term,
  type TermPlan,
  beforePosition,
  countSql,
  joinedSql,
  needsCounts,
  planTerms,
  probedSql,
} from './search-terms.js';

/** What documents are searched by; all of it must hold. */
export interface DocumentSearch {
  /** More than one, or an unknown one, finds nothing. */
  readonly documentTypeIds: readonly string[];
  readonly fileIds: readonly string[];
  readonly tagIds: readonly string[];
  readonly conditions: readonly ResolvedCondition[];
  /** Null: whatever is not in the bin. */
  readonly status: DocumentStatus | null;
}

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
    const plan = planTerms(terms, needsCounts(terms) ? await this.count(tx, terms) : []);
    const values = new Values(tx.tenantId);
    const { bind } = values;
    const rows = bind(limit + 1);
    const conditions = conditionsOf(caller, search, plan, bind, after);
    const keys = visibleDocumentPage(
      caller,
      bind,
      (source) => page(source, conditions, bind, after, rows),
      rows,
    );
    // Through views, for their indexes; what is shown of the documents found is read behind the wall.
    return tx.query<DocumentView>(
      `SELECT ${this.documents.viewColumns(caller, bind)}
         FROM (${keys}) found JOIN documents d ON d.tenant_id = $1 AND d.id = found.id
        WHERE d.tenant_id = $1
        ORDER BY found.created_at DESC, found.id DESC`,
      values.list,
      { planEachTime: true },
    );
  }

  private async count(tx: TenantTransaction, terms: readonly Term[]): Promise<number[]> {
    const values = new Values(tx.tenantId);
    const counts = terms.map((term, index) => `${countSql(term, values.bind)} AS "${index}"`);
    const [row] = await tx.query<Record<string, number>>(`SELECT ${counts.join(', ')}`, values.list, {
      planEachTime: true,
    });
    return terms.map((_, index) => row?.[index] ?? 0);
  }
}

function termsOf({ fileIds, tagIds, conditions }: DocumentSearch): Term[] {
  return [
    ...fileIds.map((id) => linkTerm('document_files_search', 'file_id', id, 0)),
    ...conditions.flatMap((condition) => conditionTerm(condition) ?? []),
    ...tagIds.map((id) => linkTerm('document_tags_search', 'tag_id', id, 5)),
  ].sort((one, other) => one.rank - other.rank);
}

function linkTerm(view: Term['view'], column: 'file_id' | 'tag_id', id: string, rank: number): Term {
  return { view, condition: (bind) => `t.${column} = ${bind(id)}::uuid`, isOrdered: true, rank };
}

/** All conditions on a row `d` of `documents_search` but for who may see it. */
function conditionsOf(
  caller: Caller,
  { documentTypeIds, fileIds, conditions, status }: DocumentSearch,
  { joined, probed }: TermPlan,
  bind: Bind,
  after: Position | null,
): string[] {
  return [
    'd.tenant_id = $1',
    binShown(caller, 'd'),
    status === null ? `d.status <> 'Deleted'` : `d.status = ${bind(status)}`,
    ...documentTypeIds.map((id) => `d.document_type_id = ${bind(id)}::uuid`),
    ...joined.map((term) => joinedSql(term, bind, after)),
    ...probed.map((term) => probedSql(term, bind)),
    ...conditions
      .filter((condition) => !conditionTerm(condition))
      .map((condition) => absenceSql(condition, bind)),
    ...fileIds.map((id) => seesFile(caller, id, bind)),
    ...(after ? [beforePosition('d', 'id', bind, after)] : []),
  ];
}

/** What is in a file that the caller does not see must not be told by searching for it. */
function seesFile(caller: Caller, id: string, bind: Bind): string {
  if (caller.has('files.read')) return 'true';
  return `EXISTS (SELECT FROM files f
    WHERE f.tenant_id = $1 AND f.id = ${bind(id)}::uuid AND ${visibleFiles(caller, 'f', bind)})`;
}

function page(
  { join, condition, ordered }: DocumentSource,
  conditions: readonly string[],
  bind: Bind,
  after: Position | null,
  limit: string,
): string {
  const further = ordered && after ? [beforePosition(ordered, 'document_id', bind, after)] : [];
  const all = [...conditions, condition, ...further];
  return `SELECT ${join && 'DISTINCT'} d.created_at, d.id FROM documents_search d ${join}
           WHERE ${all.join(' AND ')} ORDER BY d.created_at DESC, d.id DESC LIMIT ${limit}`;
}
