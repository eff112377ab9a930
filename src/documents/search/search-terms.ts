import { type Position } from '../../http/cursor-codec.js';
import { type Bind } from '../../tenancy/visibility.js';

/**
 * One thing that a search asks of a document, and that rows of a table with the document's id and `created_at` tell:
 * a value, a tag, a file. An index has the rows in the order of lists, or else by what is compared (`isOrdered`).
 */
export interface Term {
  readonly view: 'document_values_search' | 'document_tags_search' | 'document_files_search';
  /** The condition on a row `t` of the view. */
  readonly condition: (bind: Bind) => string;
  readonly isOrdered: boolean;
  /** How much it is likely to narrow a search, where nobody has counted: 0 is most. */
  readonly rank: number;
}

/** Terms that PostgreSQL may combine as it sees fit; planning a join of more costs more than it gains. */
const MAX_JOINED = 4;
/** So few documents that whatever else is asked can be asked of each of them. */
const FEW = 1000;

/** Which terms are joined with the documents; the others are looked up for each document that these leave. */
export interface TermPlan {
  readonly joined: readonly Term[];
  readonly probed: readonly Term[];
}

/** Whether somebody has to count before the terms can be planned. */
export function needsCounts(terms: readonly Term[]): boolean {
  return terms.length > MAX_JOINED;
}

/** @param counts how many rows each term has, counted up to {@link countSql}'s bound; none when there are few terms */
export function planTerms(terms: readonly Term[], counts: readonly number[]): TermPlan {
  if (!needsCounts(terms)) return { joined: terms, probed: [] };
  const order = terms
    .map((term, index) => ({ term, count: counts[index] ?? FEW }))
    .sort((one, other) => one.count - other.count || one.term.rank - other.term.rank);
  const joined = (order[0]?.count ?? FEW) < FEW ? 1 : MAX_JOINED;
  const sorted = order.map(({ term }) => term);
  return { joined: sorted.slice(0, joined), probed: sorted.slice(joined) };
}

/** Counts the rows of a term, but not on and on; the statement's `$1` is the tenant. */
export function countSql({ view, condition }: Term, bind: Bind): string {
  return `(SELECT count(*)::int FROM (SELECT FROM ${view} t WHERE t.tenant_id = $1 AND ${condition(bind)} LIMIT ${FEW}) few)`;
}

/**
 * The term as a condition on a row `d` of `documents_search`. The join says `created_at` as well as the id: so the
 * order of the term's index is that of the documents, and pages deep down begin where they should.
 */
export function joinedSql(term: Term, bind: Bind, after: Position | null): string {
  const further = term.isOrdered && after ? `AND ${beforePosition('t', 'document_id', bind, after)}` : '';
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

/** Rows that come after the position in a list, newest first. */
export function beforePosition(alias: string, idColumn: string, bind: Bind, after: Position): string {
  return `(${alias}.created_at, ${alias}.${idColumn}) < (${bind(after[0])}::timestamptz, ${bind(after[1])}::uuid)`;
}
