import { orderSql } from '../../../platform/database/paging/list-order.js';
import { type Bind, SqlParameters } from '../../../platform/database/sql-parameters.js';
import { type Statement } from '../../../platform/database/transactions/tenant-batch.js';
import { type Caller } from '../../../platform/tenancy/access/caller.js';
import { reachedDocuments } from '../../../platform/tenancy/access/visibility.js';
import { NEWEST_LIMIT, type Range, type Reach, inRange } from './search-terms.js';

const KEY = 't.created_at, t.document_id';

/** Like `leadSql`, for the documents in reach of the caller. The newest ones are those first in the order of the list. */
export function reachSql(caller: Caller, { reached }: Reach, bind: Bind, range: Range): string {
  const conditions = inRange('t', 'document_id', bind, range).map((is) => ` AND ${is}`);
  const inOrder =
    range.order.key === 'createdAt' ? orderSql(range.order, ['t.created_at', 't.document_id']) : '';
  const first = reached === 'newest' ? `${inOrder} LIMIT ${NEWEST_LIMIT}` : '';
  const rows = reachedDocuments(
    caller,
    bind,
    ({ from, condition }) =>
      `SELECT ${KEY} FROM ${from} WHERE ${condition}${conditions.join('')} ${first || 'OFFSET 0'}`,
  );
  return `SELECT DISTINCT ${KEY} FROM (SELECT ${KEY} FROM ${rows} t ${first}) t ${inOrder} OFFSET 0`;
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
