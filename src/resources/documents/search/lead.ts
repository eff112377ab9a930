import { orderSql } from '../../../platform/database/paging/list-order.js';
import { type Bind, SqlParameters } from '../../../platform/database/sql-parameters.js';
import { type Statement } from '../../../platform/database/transactions/tenant-batch.js';
import { type Caller } from '../../../platform/tenancy/access/caller.js';
import { reachedDocuments } from '../../../platform/tenancy/access/visibility.js';
import {
  NEWEST_LIMIT,
  type Range,
  type Reach,
  type Sets,
  type Term,
  alternativesOf,
  inRange,
} from './search-terms.js';

const KEY = 't.created_at, t.document_id';

/** Maximum number of documents of {@link Sets} whose texts are read to check them. */
export const MAX_CHECKED = 200_000;

/** ORDER BY of keys, if the list is sorted by creation time. */
function inOrderSql({ order }: Range): string {
  return order.key === 'createdAt' ? orderSql(order, ['t.created_at', 't.document_id']) : '';
}

/**
 * Returns the rows of a term as distinct document keys (`created_at`, `document_id`), in list order if the
 * list is sorted by creation time.
 *
 * @param isWide see `SearchPlan`
 */
export function leadSql(term: Term, bind: Bind, range: Range, isWide = false): string {
  const [only = '', ...others] = rowsOf(term, bind, range, isWide);
  const from = others.length === 0 ? only : `FROM (${unionOf([only, ...others])}) t`;
  return `SELECT DISTINCT ${KEY} ${from} ${inOrderSql(range)} OFFSET 0`;
}

/** Like {@link leadSql}, but without an order, and with a document for each of its rows. */
export function termRowsSql(term: Term, bind: Bind, range: Range): string {
  return unionOf(rowsOf(term, bind, range));
}

function unionOf(rows: readonly string[]): string {
  return rows.map((one) => `SELECT ${KEY} ${one}`).join(' UNION ALL ');
}

function rowsOf(term: Term, bind: Bind, range: Range, isWide = false): string[] {
  return alternativesOf(term).map(({ view, condition }) => {
    const from =
      isWide && view === 'document_texts_search'
        ? 'document_texts_by_word t WHERE (t.tenant_id = $1) IS TRUE'
        : `${view} t WHERE t.tenant_id = $1`;
    return `FROM ${[from, condition(bind, isWide), ...inRange('t', 'document_id', bind, range)].join(' AND ')}`;
  });
}

/**
 * Like {@link leadSql}, for documents in all of the given sets. As operands of INTERSECT and EXCEPT, PostgreSQL reads
 * each set once from an index, and reads no vectors. As conditions on each document of the first set, they would take
 * ten times as long.
 *
 * @param within further sets: SELECTs of keys
 * @param unwanted documents with rows of this term are left out
 */
export function setsSql(
  { sets }: Sets,
  within: readonly string[],
  unwanted: Term | null,
  bind: Bind,
  range: Range,
): string {
  const set = ({ candidates, ...term }: Term) =>
    `(${termRowsSql({ ...term, condition: candidates ?? term.condition }, bind, range)})`;
  const all = [...sets.map(set), ...within.map((one) => `(${one})`)].join(' INTERSECT ');
  const keys = unwanted ? `${all} EXCEPT ${set(unwanted)}` : all;
  return `SELECT DISTINCT ${KEY} FROM (${keys}) t ${inOrderSql(range)} OFFSET 0`;
}

/** Like {@link leadSql}, for the documents in reach of the caller. The newest ones are those first in the order of the list. */
export function reachSql(caller: Caller, { reached }: Reach, bind: Bind, range: Range): string {
  const inOrder = inOrderSql(range);
  const first = reached === 'newest' ? `${inOrder} LIMIT ${NEWEST_LIMIT}` : '';
  return `SELECT DISTINCT ${KEY} FROM (${reachedSql(caller, bind, range, first)}) t ${inOrder} OFFSET 0`;
}

/**
 * The keys of documents in reach, some of them several times.
 *
 * @param first ORDER BY and LIMIT, if only the first ones are needed
 */
export function reachedSql(caller: Caller, bind: Bind, range: Range, first = ''): string {
  const conditions = inRange('t', 'document_id', bind, range).map((is) => ` AND ${is}`);
  const rows = reachedDocuments(
    caller,
    bind,
    ({ from, condition }) =>
      `SELECT ${KEY} FROM ${from} WHERE ${condition}${conditions.join('')} ${first || 'OFFSET 0'}`,
  );
  return `SELECT ${KEY} FROM ${rows} t ${first}`;
}

/** Statement for the `count` of documents in reach, at most {@link NEWEST_LIMIT}; some can count several times. */
export function reachStatement(caller: Caller): Statement {
  const values = new SqlParameters();
  // OFFSET keeps PostgreSQL from a join that reads the links of all documents.
  const rows = reachedDocuments(
    caller,
    values.bind,
    ({ from, condition }) => `SELECT ${KEY} FROM ${from} WHERE ${condition} OFFSET 0`,
  );
  return {
    text: `SELECT count(*)::int AS count FROM (SELECT FROM ${rows} t LIMIT ${NEWEST_LIMIT}) few`,
    values: values.list,
  };
}
