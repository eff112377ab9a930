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
  /** Whether an index has the rows one after the other, so that some of them can be counted without finding them all. */
  readonly isCountable: boolean;
  /** How much it is likely to narrow a search, where counting tells no difference: 0 is most. */
  readonly rank: number;
}

/** A way to look for documents that have all of the terms. */
export interface SearchPlan {
  /** Terms that PostgreSQL may combine with each other and the documents as it sees fit. */
  readonly joined: readonly Term[];
  /** Terms that are looked up for one document after the other. */
  readonly probed: readonly Term[];
  /** Looks at the newest documents only: what it finds comes first, but it may not find all. */
  readonly amongNewest: boolean;
}

/** So few documents that whatever else is asked can be asked of each of them. */
const FEW = 1000;
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
 * terms are frequent, it is likely that the newest documents fill the page; if they do not, the terms exclude each
 * other, and reading them side by side is best.
 *
 * @param counts how many rows each term has, see {@link countSql}; null where nobody has counted
 * @param seesAll whether the documents are those of the tenant; otherwise they are those of each grant, which are fewer
 */
export function plansFor(
  terms: readonly Term[],
  counts: readonly (number | null)[],
  seesAll: boolean,
): SearchPlan[] {
  if (!needsCounts(terms)) return [{ joined: terms, probed: [], amongNewest: false }];
  const counted = terms.map((term, index) => ({ term, count: counts[index] ?? FEW }));
  counted.sort((one, other) => one.count - other.count || one.term.rank - other.term.rank);
  const order = counted.map(({ term }) => term);
  const joining = (count: number): SearchPlan => ({
    joined: order.slice(0, count),
    probed: order.slice(count),
    amongNewest: false,
  });
  if ((counted[0]?.count ?? FEW) < FEW) return [joining(1)];
  return seesAll ? [{ ...joining(0), amongNewest: true }, joining(MAX_JOINED)] : [joining(0)];
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
