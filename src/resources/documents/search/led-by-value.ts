import { type Bind } from '../../../platform/database/sql-parameters.js';
import { type Caller } from '../../../platform/tenancy/access/caller.js';
import { orderSql } from '../../../platform/database/paging/list-order.js';
import {
  type SortedValues,
  documentsSql,
  inOrderSql,
  keyColumns,
  keyNames,
  valuesSql,
} from './document-order.js';
import { reachSql, termRowsSql } from './lead.js';
import { NEWEST_LIMIT, type Range, type Reach, type Term, inRange } from './search-terms.js';

// Keys (`document_id`, `created_at`, those of the order) in the order of the values of a field, before the documents are
// read. OFFSET keeps PostgreSQL from reading the values of all documents, or the documents of all values.

/**
 * Up to this number of matches, the value of each is looked up. If there are more, fewer rows are read in the order of the
 * values until the page is full: of a million values, with 2,000 matches, 25,000.
 */
const MAX_LOOKED_UP = 2000;

/** Those of the documents `terms`, which have no order. */
export function lookedUpSql(terms: string, bind: Bind, range: Range): string {
  const { order } = range;
  const documents = documentsSql(order, bind, { from: '(SELECT led.document_id AS id, led.created_at) d' });
  const conditions = ['true', ...inRange('d', 'id', bind, range)];
  return `SELECT led.document_id, led.created_at, v.*
            FROM (${terms}) led
           CROSS JOIN LATERAL (SELECT ${keyColumns(order)} FROM ${documents} WHERE ${conditions.join(' AND ')} OFFSET 0) v
           ${inOrder(range)} OFFSET 0`;
}

/** Those of the first {@link NEWEST_LIMIT} values; `conditions` are on a row `d` with `id` and `created_at`. */
export function firstValuesSql(
  values: SortedValues,
  conditions: readonly string[],
  bind: Bind,
  range: Range,
): string {
  const inRangeOf = ['true', ...inRange('d', 'id', bind, range)].join(' AND ');
  return `SELECT d.document_id, d.created_at, ${keyNames(range.order).join(', ')}
            FROM (SELECT d.id, d.id AS document_id, d.created_at, ${keyColumns(range.order)} FROM ${valuesSql(values, bind)}
                   WHERE ${inRangeOf} ${inOrder(range)} LIMIT ${NEWEST_LIMIT}) d
           WHERE ${['true', ...conditions].join(' AND ')} ${inOrder(range)} OFFSET 0`;
}

/**
 * The page of a lead with neither few nor very many matches. They are collected; if they are many, the first values are
 * compared with them. If there are few, or these values do not fill the page, the value of each match is looked up.
 *
 * @param pageOf the page of keys, of which `rows` are wanted
 */
export function matchesByValueSql(
  caller: Caller,
  values: SortedValues,
  lead: Term | Reach,
  pageOf: (led: string) => string,
  rows: string,
  bind: Bind,
  range: Range,
): string {
  // LIMIT is a bound for PostgreSQL's estimate: it does not hash a set that it estimates as too large.
  const matches =
    'reached' in lead
      ? `${reachSql(caller, lead, bind, range)} LIMIT ${2 * NEWEST_LIMIT}`
      : termRowsSql(lead, bind, range);
  // IS TRUE keeps PostgreSQL from a join in another order.
  const isMatch = ['(d.id IN (SELECT document_id FROM matches)) IS TRUE'];
  const isMany = `(SELECT count(*) FROM matches) > ${MAX_LOOKED_UP}`;
  const isFull = `(SELECT count(*) FROM walked) >= ${rows}`;
  const unlisted = `SELECT DISTINCT document_id, created_at FROM matches WHERE NOT ${isFull}`;
  return `WITH matches AS MATERIALIZED (${matches}),
               walked AS MATERIALIZED (${pageOf(firstValuesSql(values, [isMany, ...isMatch], bind, range))})
          SELECT * FROM (SELECT * FROM walked WHERE ${isFull}
                   UNION ALL (${pageOf(lookedUpSql(unlisted, bind, range))})) page ${inOrderSql(range.order)}`;
}

function inOrder({ order }: Range): string {
  return orderSql(order, [...keyNames(order), 'document_id']);
}
