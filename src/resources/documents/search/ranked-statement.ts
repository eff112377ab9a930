import { type Position } from '../../../platform/database/paging/cursor-codec.js';
import { type Bind, SqlParameters } from '../../../platform/database/sql-parameters.js';
import { type Statement } from '../../../platform/database/transactions/tenant-batch.js';
import { type Caller } from '../../../platform/tenancy/access/caller.js';
import { NEWEST_FIRST, sortedBy } from '../../../platform/database/paging/list-order.js';
import { type PageColumns, pageSql } from './page-statement.js';
import { type DocumentSearch } from './search-conditions.js';
import { keysSql } from './search-statement.js';
import { type SearchPlan, type Window } from './search-terms.js';
import { type TextSearch, sequencesIn, tsquery, withoutCompounds } from './text-search.js';

/** Maximum number of documents of a part that are ranked: the newest matches. Each page ranks all of them. */
export const MAX_RANKED = 1000;

/**
 * One page of a part of a ranked search (see `rankedParts`), best match first. The window is fixed by the first page,
 * so that new documents do not push others out of the ranking between pages.
 */
export interface RankedPage {
  readonly part: RankedRow['part'];
  readonly window: Window | null;
  /** Position of the last row of the previous page: rank, `created_at`, id. */
  readonly after: Position | null;
  readonly rows: number;
  /** Maximum size of the documents. */
  readonly bytes: number;
}

export interface RankedRow {
  readonly part: 'words' | 'compounds';
  /** Size of the documents before it on the page. */
  readonly bytesBefore: number;
  readonly rank: string;
  /** Number of ranked documents, and the newest and oldest of them. */
  readonly ranked: number;
  readonly newest: Position;
  readonly oldest: Position;
}

/** Weights of the PostgreSQL labels D to A: a stem counts half as much as the word itself. */
const WEIGHTS = '{0.5, 0.5, 0.5, 1}';
/** Weight of a match in the title relative to one in the text. */
const TITLE_WEIGHT = 10;
/** Weight of compounds: less than the smallest rank of a whole word of the query. */
const COMPOUND_WEIGHT = '1e-4';
/** Maximum number of matching parts of a document that count for its rank. */
const MAX_RANKED_PARTS = 10;

/** Like `searchStatement`, with the columns of {@link RankedRow}. */
export function rankedStatement(
  caller: Caller,
  search: DocumentSearch & { readonly text: TextSearch },
  plan: SearchPlan,
  { part, window, after, rows, bytes }: RankedPage,
  columns: PageColumns,
): Statement {
  const values = new SqlParameters(caller.tenantId);
  const { bind } = values;
  // Documents in the window that match only since the first page must not push others out, so the limit is
  // doubled.
  const size = window ? 2 * MAX_RANKED : MAX_RANKED;
  const { createdFrom, createdTo } = search;
  const range = { order: NEWEST_FIRST, after: null, window, createdFrom, createdTo };
  const keys = keysSql(caller, search, plan, { range, rows: size }, bind);
  const end = (value: 'first_value' | 'last_value') =>
    `jsonb_build_array(${value}(to_char(k.sort_key, 'YYYY-MM-DD"T"HH24:MI:SS.MSOF')) OVER w, ${value}(k.id) OVER w)`;
  const afterPosition = after
    ? `WHERE (r.rank, r.created_at, r.id) < (${bind(after[0])}::real, ${bind(after[1])}::timestamptz, ${bind(after[2])}::uuid)`
    : '';
  const found = `
    SELECT * FROM (
      SELECT k.sort_key AS created_at, k.id, ${rankSql(search.text, bind)} AS rank, (count(*) OVER w)::int AS ranked,
             ${end('first_value')} AS newest, ${end('last_value')} AS oldest
        FROM (${keys}) k
      WINDOW w AS (ORDER BY k.sort_key DESC, k.id DESC
                   ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)) r
     ${afterPosition} ORDER BY r.rank DESC, r.created_at DESC, r.id DESC LIMIT ${bind(rows)}`;
  const page = {
    sql: found,
    columns: 'found.created_at AS found_at, found.rank, found.ranked, found.newest, found.oldest',
    order: (prefix: string) =>
      sortedBy(NEWEST_FIRST, [`${prefix}rank`, `${prefix}found_at`, `${prefix}found_id`]),
    extra: `d.rank::text AS rank, d.ranked, d.newest, d.oldest, '${part}' AS part, d.bytes_before::int AS "bytesBefore"`,
    bytes,
  };
  return { text: pageSql(page, columns, bind), values: values.list, planEachTime: true };
}

/** SQL expression: the rank of the document with the key `k`. */
function rankSql(search: TextSearch, bind: Bind): string {
  const query = `${bind(tsquery(sequencesIn(search.wanted)))}::tsquery`;
  const words = `${bind(tsquery(sequencesIn(withoutCompounds(search.wanted))))}::tsquery`;
  return `(SELECT coalesce(max(p.rank) FILTER (WHERE p.part = 0), 0)::real * ${TITLE_WEIGHT}::real
                + coalesce(max(p.rank) FILTER (WHERE p.part <> 0), 0)::real
             FROM (SELECT t.part, ts_rank('${WEIGHTS}', t.vector, ${words})
                                    + ${COMPOUND_WEIGHT} * ts_rank('${WEIGHTS}', t.vector, ${query}) AS rank
                     FROM document_texts_search t
                    WHERE t.tenant_id = $1 AND t.document_id = k.id AND t.vector @@ ${query}
                    ORDER BY t.part <> 0, t.part LIMIT ${MAX_RANKED_PARTS + 1}) p)`;
}
