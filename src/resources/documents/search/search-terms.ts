import { type Position } from '../../../platform/database/paging/cursor-codec.js';
import { type Bind } from '../../../platform/database/sql-parameters.js';
import { type ListOrder, isAfterSql, orderSql } from './list-order.js';

/**
 * One thing that a search asks of a document, and that rows of a table with the document's id and `created_at` tell:
 * a value, a tag, a file. An index has the rows in the order of lists, or else by what is compared (`isOrdered`).
 */
export interface Term {
  readonly view:
    'document_values_search' | 'document_tags_search' | 'document_files_search' | 'document_texts_search';
  /** The condition on a row `t` of the view. */
  readonly condition: (bind: Bind) => string;
  readonly isOrdered: boolean;
  /** Whether an index has the rows one after the other, so that some of them can be counted without finding them all. */
  readonly isCountable: boolean;
  /**
   * The same in parts that no two of share a document, where an index has the rows of each part in the order of lists,
   * but not those of all of them.
   */
  readonly parts?: readonly Term[];
  /** How much it is likely to narrow a search, where counting tells no difference: 0 is most. */
  readonly rank: number;
}

/** A way to look for documents that have all of the terms. */
export interface SearchPlan {
  /** The term whose rows are read first, all of them; then documents are looked up from the newest on. */
  readonly lead: Term | null;
  /** Terms that PostgreSQL may combine with each other and the documents as it sees fit. */
  readonly joined: readonly Term[];
  /** Terms that are looked up for one document after the other. */
  readonly probed: readonly Term[];
  /**
   * Looks at the newest only, of all documents or of those that meet a term whose rows an index has in the order of
   * lists: what it finds comes first, but it may not find all. Null: looks at every document.
   */
  readonly newestOf: 'all' | Term | null;
}

/** So few documents that whatever else is asked can be asked of each of them. */
const FEW_ROWS = 1000;
/** Planning a join of more terms costs more than it gains. */
const MAX_JOINED = 4;

/** Whether the terms have to be counted before there can be plans: one alone is for PostgreSQL's statistics. */
export function needsCounts(terms: readonly Term[]): boolean {
  return terms.length > 1;
}

/**
 * The plans to try, one after the other until one has filled the page; the last finds whatever there is. PostgreSQL
 * cannot tell how terms go together: it takes a join of two for almost nothing, reads both to the end, and so takes a
 * second where the first documents that it met would have filled the page. So: few rows of one term decide. Where all
 * terms are frequent, it is likely that the newest documents, or the newest with one of them, fill the page; if they
 * do not, the terms exclude each other, and reading them side by side is best.
 *
 * @param counts how many rows each term has, see {@link countSql}; null where nobody has counted
 * @param seesAll whether the documents are those of the tenant; otherwise they are those of each grant, which are fewer
 */
export function plansFor(
  terms: readonly Term[],
  counts: readonly (number | null)[],
  seesAll: boolean,
): SearchPlan[] {
  if (!needsCounts(terms)) return [{ lead: null, joined: terms, probed: [], newestOf: null }];
  const counted = terms.map((term, index) => ({ term, count: counts[index] ?? FEW_ROWS }));
  counted.sort((one, other) => one.count - other.count || one.term.rank - other.term.rank);
  const order = counted.map(({ term }) => term);
  const joining = (count: number): SearchPlan => ({
    lead: null,
    joined: order.slice(0, count),
    probed: order.slice(count),
    newestOf: null,
  });
  if ((counted[0]?.count ?? FEW_ROWS) < FEW_ROWS) return [joining(1)];
  if (!seesAll) return [joining(0)];
  const newestOf = order.find((term) => term.isOrdered && !term.parts) ?? 'all';
  const probed = order.filter((term) => term !== newestOf);
  return [{ lead: null, joined: [], probed, newestOf }, joining(MAX_JOINED)];
}

/** So many rows of words are read and put in order while the newest documents fill a page, if there are more. */
const MAX_LEAD_ROWS = 10_000;
/** The same where the best of many are asked for. */
const MAX_LEAD_ROWS_RANKED = 30_000;

/**
 * The same where there are words among the terms. Their index knows no order, and nothing of where in it rows end: to
 * count what is frequent is to read it. But PostgreSQL's statistics know words well (the thousand most frequent of all
 * documents), so their number is estimated. Few rows of words lead; where all are frequent, the newest documents are
 * likely to fill the page.
 *
 * @param counts of terms with words an estimate, of others see {@link plansFor}
 * @param ranked whether the documents that are found are to be ranked
 */
export function plansForText(
  terms: readonly Term[],
  counts: readonly (number | null)[],
  seesAll: boolean,
  ranked: boolean,
): SearchPlan[] {
  const most = ranked ? MAX_LEAD_ROWS_RANKED : MAX_LEAD_ROWS;
  const counted = terms.map((term, index) => ({ term, count: counts[index] ?? most }));
  counted.sort((one, other) => one.count - other.count || one.term.rank - other.term.rank);
  const [few] = counted.filter(({ term, count }) => !isTextTerm(term) && count < FEW_ROWS);
  const [rarest] = counted.filter(({ term }) => isTextTerm(term));
  const plan = (rest: Partial<SearchPlan>, first?: Term): SearchPlan => ({
    lead: null,
    joined: [],
    probed: counted.flatMap(({ term }) => (term === first ? [] : term)),
    newestOf: null,
    ...rest,
  });
  if (few && few.count <= (rarest?.count ?? Infinity)) return [plan({ joined: [few.term] }, few.term)];
  if (!rarest) return [plan({})];
  const led = plan({ lead: rarest.term }, rarest.term);
  if (rarest.count < most) return [led];
  // Who sees by grants sees less: their documents are few enough, or have enough of what is frequent.
  return seesAll ? [plan({ newestOf: 'all' }), led] : [plan({})];
}

/**
 * The same plan for a list in another order than that of creation: rows of no term are in it, so documents are looked
 * at in the order of the list instead.
 */
export function forOtherOrder({ newestOf, joined, probed, lead }: SearchPlan): SearchPlan {
  return {
    lead,
    joined: joined.map(({ parts: _, ...term }) => ({ ...term, isOrdered: false })),
    probed: newestOf === null || newestOf === 'all' ? probed : [newestOf, ...probed],
    newestOf: newestOf && 'all',
  };
}

export function isTextTerm({ view }: Term): boolean {
  return view === 'document_texts_search';
}

/** What PostgreSQL thinks of the number of rows of a term; its one row is the plan, see {@link estimatedRows}. */
export function estimateSql({ view, condition }: Term, bind: Bind): string {
  return `EXPLAIN (FORMAT JSON) SELECT FROM ${view} t WHERE t.tenant_id = $1 AND ${condition(bind)}`;
}

export function estimatedRows([row]: readonly object[]): number | null {
  const [plan] = Object.values(row ?? {}) as { Plan: { 'Plan Rows': number } }[][];
  return plan?.[0]?.Plan['Plan Rows'] ?? null;
}

/** The rows of a term as keys of documents (`created_at`, `document_id`), each once, in the order of the list if it can. */
export function leadSql({ view, condition }: Term, bind: Bind, range: Range): string {
  const conditions = ['t.tenant_id = $1', condition(bind), ...inRange('t', 'document_id', bind, range)];
  const order =
    range.order.key === 'createdAt' ? orderSql(range.order, ['t.created_at', 't.document_id']) : '';
  return `SELECT DISTINCT t.created_at, t.document_id FROM ${view} t WHERE ${conditions.join(' AND ')}
           ${order} OFFSET 0`;
}

/** Counts the rows of a term, but not on and on; the statement's `$1` is the tenant. */
export function countSql({ view, condition }: Term, bind: Bind): string {
  return `(SELECT count(*)::int FROM (SELECT FROM ${view} t WHERE t.tenant_id = $1 AND ${condition(bind)} LIMIT ${FEW_ROWS}) few)`;
}

/**
 * The term as a condition on a row `d` of `documents_search`. The join says `created_at` as well as the id: so the
 * order of the term's index is that of the documents, and pages deep down begin where they should.
 */
export function joinedSql(term: Term, bind: Bind, range: Range): string {
  const further = term.isOrdered
    ? inRange('t', 'document_id', bind, range)
        .map((is) => `AND ${is}`)
        .join(' ')
    : '';
  return `EXISTS (SELECT ${rowsOf(term, bind)} ${further})`;
}

/** The same, looked up for one document after the other: OFFSET keeps PostgreSQL from making a join of it. */
export function probedSql(term: Term, bind: Bind): string {
  return `EXISTS (SELECT ${rowsOf(term, bind)} OFFSET 0)`;
}

function rowsOf({ view, condition }: Term, bind: Bind): string {
  return `FROM ${view} t
    WHERE t.tenant_id = $1 AND t.document_id = d.id AND t.created_at = d.created_at AND ${condition(bind)}`;
}

/** Where in the order of a list to look. */
export interface Range {
  readonly order: ListOrder;
  /** Only what comes after it. */
  readonly after: Position | null;
  /** Only what is between the two, with them; of a list that is newest first. */
  readonly window: Window | null;
  /** ISO 8601; the first is included, the second is not. */
  readonly createdFrom: string | null;
  readonly createdTo: string | null;
}

/** The positions (`created_at`, id) of two documents. */
export interface Window {
  readonly newest: Position;
  readonly oldest: Position;
}

/**
 * The conditions that keep rows in a range. Rows of terms have `created_at` of the document, and no other key of a list:
 * where a list has another one, its position is compared with rows of documents only.
 */
export function inRange(
  alias: string,
  idColumn: 'id' | 'document_id',
  bind: Bind,
  { order, after, window, createdFrom, createdTo }: Range,
): string[] {
  const hasKey = idColumn === 'id' || order.key === 'createdAt';
  const compared = (operator: '<=' | '>=', [createdAt, id]: Position) =>
    `(${alias}.created_at, ${alias}.${idColumn}) ${operator} (${bind(createdAt)}::timestamptz, ${bind(id)}::uuid)`;
  return [
    ...(after && hasKey ? [isAfterSql(order, alias, idColumn, after, bind)] : []),
    ...(createdFrom === null ? [] : [`${alias}.created_at >= ${bind(createdFrom)}::timestamptz`]),
    ...(createdTo === null ? [] : [`${alias}.created_at < ${bind(createdTo)}::timestamptz`]),
    ...(window ? [compared('<=', window.newest), compared('>=', window.oldest)] : []),
  ];
}
