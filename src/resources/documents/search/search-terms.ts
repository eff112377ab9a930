import { DEFAULT_LIMIT } from '../../../common/page.js';
import { type Position } from '../../../platform/database/paging/cursor-codec.js';
import { type Bind } from '../../../platform/database/sql-parameters.js';
import { isAfterSql } from '../../../platform/database/paging/list-order.js';
import { type DocumentOrder, VALUE_ID } from './document-order.js';

/**
 * One criterion of a search that rows of a table with document id and `created_at` answer: a value, a tag, a
 * file or words. An index returns these rows in list order (`isOrdered`) or in the order of the compared
 * value.
 */
export interface Term {
  readonly view:
    'document_values_search' | 'document_tags_search' | 'document_files_search' | 'document_texts_search';
  /**
   * SQL condition on a row `t` of the view.
   *
   * @param isWide see {@link SearchPlan}
   */
  readonly condition: (bind: Bind, isWide?: boolean) => string;
  /**
   * A weaker condition, which the index checks alone. For the condition itself, PostgreSQL reads the vector of each row
   * that the index finds.
   */
  readonly candidates?: ((bind: Bind) => string) | undefined;
  /** The documents in these files match, too. Only for words, which lead a search or are checked for each document. */
  readonly orInFiles?: readonly string[];
  /** Only for parts of texts: the fields that have them. */
  readonly textFieldIds?: readonly string[];
  readonly isOrdered: boolean;
  /**
   * The term in parts without common documents. An index returns each part in list order, but not all parts
   * together.
   */
  readonly parts?: readonly Term[];
  /** The order of the list implies the term: it may lead the search, but is never a condition. */
  readonly isImplied?: boolean;
  /** Expected selectivity, used if the counts are equal: 0 narrows the search most. */
  readonly rank: number;
}

/**
 * The documents in the reach of a caller with only grants, as the rows that lead a search: all of them, or the newest
 * ones, which come first in the list. In a list by the values of a field, `newest` means the first values, for any caller.
 */
export interface Reach {
  readonly reached: 'all' | 'newest';
}

export const ALL_REACHED: Reach = { reached: 'all' };
export const NEWEST_REACHED: Reach = { reached: 'newest' };

/**
 * The documents with rows of all these terms, without those with unwanted words. PostgreSQL reads the rows of each term
 * once and intersects them; see `setsSql`.
 */
export interface Sets {
  readonly sets: readonly Term[];
  /** Estimated number of their rows. */
  readonly rows: number;
}

/** A way to find the documents that match all terms. */
export interface SearchPlan {
  /** The rows that are all read first; then the documents are checked from the newest. */
  readonly lead: Term | Reach | Sets | null;
  /** Terms that PostgreSQL may join in any order. */
  readonly joined: readonly Term[];
  /** Terms that are checked for each document. */
  readonly probed: readonly Term[];
  /**
   * Searches only the newest documents: of all (`all`), or of those that match a term with `isOrdered`. The
   * results come first in the list, but there may be more. Null: searches all documents.
   */
  readonly newestOf: 'all' | Term | null;
  /** Only for lists by the values of a field: `lead` has many rows, see `led-by-value.ts`. */
  readonly isByValue?: boolean;
  /**
   * Only for words and parts of texts that lead: their index does not look up the tenant or the fields, because most rows
   * are theirs (docs/adr/0007).
   */
  readonly isWide?: boolean;
}

/** Up to this number of rows, all other criteria can be checked for each document. */
export const FEW_ROWS = 1000;
/**
 * Number of documents that plans with `newestOf` search (see {@link SearchPlan}). Searching all of these
 * takes about 0.1 s.
 */
export const NEWEST_LIMIT = 20_000;
/** Maximum number of joined or intersected terms; more of them cost more than they save. */
const MAX_JOINED = 4;

/**
 * Whether the terms must be counted before planning. For most single terms, the statistics of PostgreSQL are enough if the
 * caller can see all documents.
 */
export function needsCounts(terms: readonly Term[], seesAll: boolean): boolean {
  return terms.length > (seesAll ? 1 : 0) || terms.some(({ textFieldIds }) => textFieldIds);
}

/**
 * Returns the plans to try, one after the other, until one fills the page; the last one finds all documents.
 *
 * PostgreSQL does not know how terms correlate. It expects a join of two terms to have few rows, reads both
 * completely, and takes a second where the first matching documents would fill the page. So a term with few
 * rows comes first. If all terms are frequent, the newest documents (or the newest of one term) probably fill
 * the page. If they do not, the terms mostly exclude each other, and a join is best.
 *
 * @param counts number of rows of each term, see {@link countSql}; null: not counted
 * @param reach number of documents in the reach of a caller with only grants, at most {@link NEWEST_LIMIT}; null: the
 *   caller can see all documents of the tenant
 */
export function plansFor(
  terms: readonly Term[],
  counts: readonly (number | null)[],
  reach: number | null,
): SearchPlan[] {
  if (reach === null && terms.length <= 1 && counts.every((count) => count === null))
    return [{ lead: null, joined: terms, probed: [], newestOf: null }];
  const counted = terms.map((term, index) => ({ term, count: counts[index] ?? FEW_ROWS }));
  counted.sort((one, other) => one.count - other.count || one.term.rank - other.term.rank);
  const order = counted.map(({ term }) => term);
  const joining = (count: number): SearchPlan => ({
    lead: null,
    joined: order.slice(0, count),
    probed: order.slice(count),
    newestOf: null,
  });
  const [few] = counted;
  if (few && few.count < FEW_ROWS && few.count <= (reach ?? Infinity))
    return [{ ...joining(0), lead: few.term, probed: order.slice(1) }];
  if (reach !== null) return withinReach(joining(0), reach, intersected(joining(0), counted));
  const newestOf = order.find((term) => term.isOrdered && !term.parts) ?? 'all';
  const probed = order.filter((term) => term !== newestOf);
  return [{ lead: null, joined: [], probed, newestOf }, joining(MAX_JOINED)];
}

/**
 * Plans for callers with only grants. A page of each grant would check the page's number of documents for each of them,
 * and with rare matches all documents. So all documents in reach lead the search, if there are many the newest ones first.
 */
function withinReach(plan: SearchPlan, reach: number, all: SearchPlan): SearchPlan[] {
  if (reach < NEWEST_LIMIT) return [{ ...plan, lead: ALL_REACHED }];
  return [{ ...plan, lead: NEWEST_REACHED }, all];
}

interface CountedTerm {
  readonly term: Term;
  readonly count: number;
}

/** The plan that searches all documents when no term has few rows. */
function intersected(plan: SearchPlan, counted: readonly CountedTerm[]): SearchPlan {
  const chosen = counted.filter(({ term }) => !term.isImplied).slice(0, MAX_JOINED);
  const rows = chosen.reduce((sum, { count }) => sum + count, 0);
  // Several terms together have fewer candidates than each.
  const isOnly = chosen.length === 1;
  const sets = chosen.map(({ term }) => (isOnly ? { ...term, candidates: undefined } : term));
  const complete = chosen.flatMap(({ term }) => (term.candidates && !isOnly ? [] : term));
  const probed = plan.probed.filter((term) => !complete.includes(term));
  return { ...plan, lead: { sets, rows }, probed };
}

/**
 * Maximum number of rows of words that are read and sorted first. If there are more, searching the newest
 * documents is faster.
 */
export const MAX_LEAD_ROWS = 10_000;
/** The same for ranked searches. */
const MAX_LEAD_ROWS_RANKED = 30_000;

/**
 * Returns the plans for a search with words. The index of words has no order, and counting frequent words
 * would read them all. But PostgreSQL has good statistics of words (the thousand most frequent ones), so
 * their rows are estimated. A word with few rows leads the search; if all words are frequent, the newest
 * documents probably fill the page. If they do not, the rows of all words are intersected.
 *
 * @param counts estimates for terms of words; for other terms, and for `reach`, see {@link plansFor}
 * @param ranked whether the results will be ranked
 */
export function plansForText(
  terms: readonly Term[],
  counts: readonly (number | null)[],
  reach: number | null,
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
  const least = Math.min(rarest?.count ?? Infinity, reach ?? Infinity);
  if (few && few.count <= least) return [plan({ lead: few.term }, few.term)];
  if (rarest && rarest.count < most && rarest.count <= least)
    return [plan({ lead: rarest.term }, rarest.term)];
  const all = intersected(plan({}), counted);
  return reach === null ? [plan({ newestOf: 'all' }), all] : withinReach(plan({}), reach, all);
}

export function isTextTerm({ view }: Term): boolean {
  return view === 'document_texts_search';
}

/** Whether the rows are estimated and not counted: an index does not store them contiguously, so counting reads them all. */
export function isEstimated(term: Term): boolean {
  return isTextTerm(term) || term.textFieldIds !== undefined;
}

/**
 * Returns a statement that estimates the number of rows of a term; its result is a query plan, see {@link
 * estimatedRows}.
 */
export function estimateSql(term: Term, bind: Bind): string {
  const rowsSql = ({ view, condition }: Pick<Term, 'view' | 'condition'>) =>
    `SELECT FROM ${view} t WHERE t.tenant_id = $1 AND ${condition(bind)}`;
  const { view, textFieldIds } = term;
  const rows = alternativesOf(term).map(rowsSql);
  if (textFieldIds) {
    const ofFields = (into: Bind) => `t.field_id = ANY (${into(textFieldIds)}::uuid[])`;
    rows.push(rowsSql({ view, condition: ofFields }));
    rows.push(rowsSql({ view, condition: (into) => `${ofFields(into)} AND t.text_key IS NOT NULL` }));
  }
  return `EXPLAIN (FORMAT JSON) ${rows.join(' UNION ALL ')}`;
}

/** The term, and the one for its files. */
export function alternativesOf(term: Term): Pick<Term, 'view' | 'condition'>[] {
  const { orInFiles: ids } = term;
  if (!ids) return [term];
  const condition = (bind: Bind) => `t.file_id = ANY (${bind(ids)}::uuid[])`;
  return [term, { view: 'document_files_search', condition }];
}

/**
 * The number of rows; null if it is unknown, as on Citus. For parts of texts, it is below {@link FEW_ROWS} if they should lead.
 *
 * @param row result of {@link estimateSql}
 */
export function estimatedRows([row]: readonly object[], { textFieldIds }: Term): number | null {
  interface Plan {
    readonly 'Plan Rows': number;
    readonly Plans?: readonly Plan[];
  }
  const [plans] = Object.values(row ?? {}) as { Plan: Plan }[][];
  const plan = plans?.[0]?.Plan;
  if (!textFieldIds) return plan?.['Plan Rows'] ?? null;
  // PostgreSQL takes field and text for independent of each other, but rows of fields of other types have no text.
  const [matching, all, texts] = (plan?.Plans ?? []).map((part) => part['Plan Rows']);
  if (!matching || !all || !texts) return null;
  const rows = (matching * all) / texts;
  // Fewer rows are read sooner than as many of the newest documents as fill a page.
  return rows < Math.sqrt(DEFAULT_LIMIT * all) ? Math.min(rows, FEW_ROWS - 1) : Math.max(rows, FEW_ROWS);
}

/**
 * SQL expression: the number of rows of a term, at most {@link FEW_ROWS}. `$1` of the statement must be the
 * tenant.
 */
export function countSql({ view, condition }: Term, bind: Bind): string {
  return `(SELECT count(*)::int FROM (SELECT FROM ${view} t WHERE t.tenant_id = $1 AND ${condition(bind)} LIMIT ${FEW_ROWS}) few)`;
}

/**
 * SQL condition on a row `d` of `documents_search`: the document matches the term. The join uses `created_at`
 * and id, so that the index of the term is in list order and deep pages start at their position.
 */
export function joinedSql(term: Term, bind: Bind, range: Range): string {
  const rangeConditions = term.isOrdered
    ? inRange('t', 'document_id', bind, range)
        .map((is) => `AND ${is}`)
        .join(' ')
    : '';
  return `EXISTS (SELECT ${rowsOf(term, bind)} ${rangeConditions})`;
}

/**
 * Like {@link joinedSql}, but checked for each document: OFFSET keeps PostgreSQL from turning it into a join.
 */
export function probedSql(term: Term, bind: Bind): string {
  const alternatives = alternativesOf(term).map((one) => `EXISTS (SELECT ${rowsOf(one, bind)} OFFSET 0)`);
  return either(alternatives);
}

export function either(alternatives: readonly string[]): string {
  return alternatives.length === 1 ? (alternatives[0] ?? 'false') : `(${alternatives.join(' OR ')})`;
}

function rowsOf({ view, condition }: Pick<Term, 'view' | 'condition'>, bind: Bind): string {
  return `FROM ${view} t
    WHERE t.tenant_id = $1 AND t.document_id = d.id AND t.created_at = d.created_at AND ${condition(bind)}`;
}

export interface Range {
  readonly order: DocumentOrder;
  /** Only rows after this position. */
  readonly after: Position | null;
  /** Only rows between these two positions, inclusive; only for lists sorted newest first. */
  readonly window: Window | null;
  /** ISO 8601; the start is inclusive, the end is exclusive. */
  readonly createdFrom: string | null;
  readonly createdTo: string | null;
}

/** Positions (`created_at`, id) of two documents. */
export interface Window {
  readonly newest: Position;
  readonly oldest: Position;
}

/**
 * SQL conditions that limit rows to a range. Rows of terms have the creation time of the document, but no
 * other sort key. With another sort key, the position is only compared with rows of documents.
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
    ...(after && hasKey ? [isAfterSql(order, alias, order.values ? VALUE_ID : idColumn, after, bind)] : []),
    ...(createdFrom === null ? [] : [`${alias}.created_at >= ${bind(createdFrom)}::timestamptz`]),
    ...(createdTo === null ? [] : [`${alias}.created_at < ${bind(createdTo)}::timestamptz`]),
    ...(window ? [compared('<=', window.newest), compared('>=', window.oldest)] : []),
  ];
}
