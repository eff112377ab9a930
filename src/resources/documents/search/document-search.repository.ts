import { Injectable } from '@nestjs/common';
import { type BoundedRow, PAGE_BYTES } from '../../../platform/database/paging/bounded-page.js';
import { type Position } from '../../../platform/database/paging/cursor-codec.js';
import { NEWEST_FIRST } from '../../../platform/database/paging/list-order.js';
import { SqlParameters } from '../../../platform/database/sql-parameters.js';
import { type Statement } from '../../../platform/database/transactions/tenant-batch.js';
import { type TenantTransaction } from '../../../platform/database/transactions/tenant-transaction.js';
import { type Caller } from '../../../platform/tenancy/access/caller.js';
import { invalidValue } from '../../../common/problem.js';
import { FilesReader } from '../../files/files.reader.js';
import { type DocumentView, DocumentsRepository } from '../documents.repository.js';
import { type ListPart } from './field-sort.js';
import { forOtherOrder, planByValue } from './other-orders.js';
import { type PageColumns } from './page-statement.js';
import { MAX_CHECKED, reachStatement } from './lead.js';
import { uncheckedStatement } from './led-keys.js';
import { type RankedPage, type RankedRow, MAX_RANKED, rankedStatement } from './ranked-statement.js';
import { possibleNumbers, readQuery } from './search-query.js';
import { isAbsence } from './condition-terms.js';
import { type DocumentSearch } from './search-conditions.js';
import { SearchSharesReader } from './search-shares.reader.js';
import { searchStatement, termsOf } from './search-statement.js';
import {
  FEW_ROWS,
  type SearchPlan,
  type Term,
  countSql,
  estimateSql,
  estimatedRows,
  isEstimated,
  isTextTerm,
  needsCounts,
  plansFor,
  plansForText,
} from './search-terms.js';
import { LexiconReader, type WordWithPart } from '../words/lexicon.reader.js';
import {
  type TextSearch,
  type WordForms,
  compoundPart,
  formsStatement,
  rankedParts,
  textSearch,
} from './text-search.js';

/**
 * A document that was found; with search words, also the source of its excerpt (an `ExcerptSource` as JSON
 * text).
 */
export type FoundDocument = DocumentView & BoundedRow & { readonly excerptSource?: string | null };

type FoundListed = FoundDocument & Pick<RankedRow, 'bytesBefore'>;
type FoundRanked = FoundDocument & RankedRow;
type RankedSearch = DocumentSearch & { readonly text: TextSearch };

interface Tried<R> {
  readonly statement: (plan: SearchPlan) => Statement;
  readonly unchecked: (plan: SearchPlan) => Statement | null;
  /** Whether another plan could not find more. */
  readonly isEnough: (found: readonly R[]) => boolean;
  readonly isRanked: boolean;
}

/** Number of rows of words, all of which a search reads, that cost as much of the rate limit as one request. */
const ROWS_PER_REQUEST = 50_000;
/**
 * The bitmap of an index with less memory keeps pages instead of rows, and PostgreSQL reads the vector of each row of
 * them. 64 MiB are enough for tables of 8 GiB without vectors.
 */
const MEMORY_FOR_SETS: Statement = { text: `SELECT set_config('work_mem', '64MB', true)` };

/** Maximum number of words of a query for which compounds are searched. */
const MAX_PARTS = 8;

/** Searches documents across files (docs/adr/0016, 0022). */
@Injectable()
export class DocumentSearchRepository {
  constructor(
    private readonly documents: DocumentsRepository,
    private readonly lexicon: LexiconReader,
    private readonly files: FilesReader,
    private readonly shares: SearchSharesReader,
  ) {}

  /** Null if the query has no words. */
  async textSearch(tx: TenantTransaction, caller: Caller, q: string): Promise<TextSearch | null> {
    const query = readQuery(q);
    if (query.wanted.length === 0 && query.unwanted.length === 0) return null;
    const parts = [...new Set(query.wanted.flatMap((item) => compoundPart(item) ?? []))].slice(0, MAX_PARTS);
    const numbers = possibleNumbers(q, query);
    const [forms, files, compounds = []] = await tx.queryAll<
      [WordForms, { id: string; index: number }, WordWithPart?]
    >([
      formsStatement(query),
      this.files.withNumbersStatement(
        caller,
        numbers.map(({ text }) => text),
      ),
      ...(parts.length > 0 ? [this.lexicon.compoundsStatement(tx.tenantId, parts)] : []),
    ]);
    return textSearch(
      query,
      forms,
      (part) => this.lexicon.compoundsOf(part, compounds),
      (item) => files.flatMap(({ id, index }) => (numbers[index]?.items.includes(item) ? [id] : [])),
    );
  }

  /**
   * Returns documents in the order of the search, and one row more than `limit` to show that another page
   * exists, or as many as fit into one page.
   */
  find(
    tx: TenantTransaction,
    caller: Caller,
    search: DocumentSearch,
    after: Position | null,
    limit: number,
    bytes = PAGE_BYTES,
  ): Promise<FoundListed[]> {
    const { order, createdFrom, createdTo } = search;
    const page = { range: { order, after, window: null, createdFrom, createdTo }, rows: limit + 1, bytes };
    const planned = (plan: SearchPlan) => (order.key === 'createdAt' ? plan : forOtherOrder(plan, order));
    return this.tryPlans<FoundListed>(tx, caller, search, {
      statement: (plan) =>
        searchStatement(caller, search, planned(plan), page, this.pageColumns(caller, search)),
      unchecked: (plan) => uncheckedStatement(caller, search, planned(plan), page.range),
      isEnough: (found) => isPage(found, limit),
      isRanked: false,
    });
  }

  /** Like {@link find}, for a list in several parts. */
  async findParts(
    tx: TenantTransaction,
    caller: Caller,
    search: Omit<DocumentSearch, 'order'>,
    parts: readonly ListPart[],
    limit: number,
  ): Promise<FoundDocument[]> {
    const found: FoundListed[] = [];
    let bytes = PAGE_BYTES;
    for (const { order, conditions, after } of parts) {
      const ofPart = { ...search, order, conditions: [...search.conditions, ...conditions] };
      const rows = await this.find(tx, caller, ofPart, after, limit - found.length, bytes);
      found.push(...rows);
      if (isPage(found, limit)) break;
      bytes -= rows.at(-1)?.bytesBefore ?? 0;
    }
    return found;
  }

  /**
   * Returns the best matches first, and one row more than `limit`, or as many as fit into one page. Matches of whole
   * words come before those of compounds. The newest documents are chosen from each part separately: frequent compounds
   * must not exclude older documents with the words.
   */
  async findRanked(
    tx: TenantTransaction,
    caller: Caller,
    search: RankedSearch,
    page: Omit<RankedPage, 'rows' | 'bytes'>,
    limit: number,
  ): Promise<FoundRanked[]> {
    const [words, compounds] = rankedParts(search.text);
    const columns = this.pageColumns(caller, search);
    const find = (text: TextSearch, one: RankedPage) => {
      const ofPart = { ...search, text };
      const range = { ...search, order: NEWEST_FIRST, after: null, window: one.window };
      return this.tryPlans<FoundRanked>(tx, caller, ofPart, {
        statement: (plan) => rankedStatement(caller, ofPart, plan, one, columns),
        unchecked: (plan) => uncheckedStatement(caller, ofPart, plan, range),
        isEnough: isFull,
        isRanked: true,
      });
    };
    const sizes = { rows: limit + 1, bytes: PAGE_BYTES };
    if (compounds && page.part === 'compounds') return find(compounds, { ...page, ...sizes });
    const found = await find(words, { ...page, ...sizes });
    const last = found.at(-1);
    if (!compounds || found.length > limit || last?.hasMore || isFull(found)) return found;
    const others = await find(compounds, {
      part: 'compounds',
      window: null,
      after: null,
      rows: sizes.rows - found.length,
      bytes: sizes.bytes - (last?.bytesBefore ?? 0),
    });
    return [...found, ...others];
  }

  private async tryPlans<R extends FoundDocument>(
    tx: TenantTransaction,
    caller: Caller,
    search: DocumentSearch,
    { statement, unchecked, isEnough, isRanked }: Tried<R>,
  ): Promise<R[]> {
    let found: R[] = [];
    const plans = await this.plans(tx, caller, search, isRanked);
    // Of several options, the first plan searches all documents.
    for (const plan of search.order.values?.options ? plans.slice(0, 1) : plans) {
      const { lead } = plan;
      const isOfSets = lead !== null && 'sets' in lead;
      if (isOfSets) caller.debit(Math.floor(lead.rows / ROWS_PER_REQUEST));
      const one = statement(plan);
      found = isOfSets
        ? (await tx.queryAll<[object, R]>([MEMORY_FOR_SETS, one]))[1]
        : await tx.query<R>(one.text, one.values, { planEachTime: one.planEachTime });
      if (isEnough(found)) break;
      const more = unchecked(plan);
      if (more) await refuseMore(tx, more);
    }
    return found;
  }

  private pageColumns(caller: Caller, { text }: DocumentSearch): PageColumns {
    return {
      own: this.documents.ownColumns,
      links: (bind) => this.documents.linkColumns(caller, bind),
      text: text === null || text.wanted.length === 0 ? null : text,
    };
  }

  private async plans(
    tx: TenantTransaction,
    caller: Caller,
    search: DocumentSearch,
    isRanked: boolean,
  ): Promise<readonly SearchPlan[]> {
    const terms = termsOf(search);
    const hasText = search.text !== null;
    const { values } = search.order;
    const isByValue = values !== undefined && !values.options;
    const seesAll = caller.has('files.read');
    // Without it, each grant would have a page of its own: for a list by values, all values in reach would be read, and for
    // a missing value, a page of documents for each grant.
    const needsReach = !seesAll && (isByValue || search.conditions.some(isAbsence));
    if (!hasText && !needsCounts(terms, seesAll) && !needsReach) return plansFor(terms, [], null);
    const { counts, reach } = await this.count(tx, caller, terms, isByValue);
    const byValue = isByValue ? planByValue(terms, counts, reach) : null;
    if (byValue) return [byValue];
    const plans = hasText ? plansForText(terms, counts, reach, isRanked) : plansFor(terms, counts, reach);
    return plans.map((plan) => ({ ...plan, isWide: this.isWide(tx, plan) }));
  }

  private isWide({ tenantId }: TenantTransaction, { lead }: SearchPlan): boolean {
    if (!lead || !('view' in lead)) return false;
    const ids = isTextTerm(lead) ? [tenantId] : lead.textFieldIds;
    return ids !== undefined && this.shares.areMost(ids);
  }

  /**
   * Returns, in one round trip, the number of rows of each term, null where it is unknown; and the number of documents in
   * reach of a caller with only grants.
   */
  private async count(
    tx: TenantTransaction,
    caller: Caller,
    terms: readonly Term[],
    isByValue: boolean,
  ): Promise<{ counts: (number | null)[]; reach: number | null }> {
    // Counts end at FEW_ROWS. The plan of a list by a field depends on how many more rows there are.
    const alsoEstimated = isByValue ? terms.filter((term) => !isEstimated(term) && !term.isImplied) : [];
    const statementOf = (term: Term, isEstimate: boolean): Statement => {
      const values = new SqlParameters(tx.tenantId);
      const text = isEstimate
        ? estimateSql(term, values.bind)
        : `SELECT ${countSql(term, values.bind)} AS count`;
      return { text, values: values.list, planEachTime: true };
    };
    const seesAll = caller.has('files.read');
    const results = await tx.queryAll([
      ...terms.map((term) => statementOf(term, isEstimated(term))),
      ...alsoEstimated.map((term) => statementOf(term, true)),
      ...(seesAll ? [] : [reachStatement(caller)]),
    ]);
    const counts = terms.map((term, index) => {
      const rows = results[index] ?? [];
      if (isEstimated(term)) return estimatedRows(rows, term);
      const { count } = rows[0] as { count: number };
      if (count < FEW_ROWS || !alsoEstimated.includes(term)) return count;
      const estimate = results[terms.length + alsoEstimated.indexOf(term)];
      return Math.max(count, estimatedRows(estimate ?? [], term) ?? 0);
    });
    return { counts, reach: seesAll ? null : (results.at(-1)?.[0] as { count: number }).count };
  }
}

/** A page that is not full would seem to be the last one. */
async function refuseMore(tx: TenantTransaction, statement: Statement): Promise<void> {
  const [, [row]] = await tx.queryAll<[object, { unchecked: number }]>([MEMORY_FOR_SETS, statement]);
  if (row && row.unchecked > 0) throw invalidValue('q', 'filter.words-too-frequent', { max: MAX_CHECKED });
}

/** Whether the documents fill a page. */
function isPage(found: readonly FoundDocument[], limit: number): boolean {
  return found.length > limit || found.at(-1)?.hasMore === true;
}

/** Whether the search has found as many documents as are ranked. */
function isFull([first]: readonly RankedRow[]): boolean {
  return first !== undefined && first.ranked >= MAX_RANKED;
}
