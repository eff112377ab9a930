import { type Bind, SqlParameters } from '../../../platform/database/sql-parameters.js';
import { orderSql } from '../../../platform/database/paging/list-order.js';
import { type Statement } from '../../../platform/database/transactions/tenant-batch.js';
import { type Caller } from '../../../platform/tenancy/access/caller.js';
import { visibleDocumentsOfMany } from '../../../platform/tenancy/access/visibility.js';
import { type DocumentOrder, keyColumns, keyNames } from './document-order.js';
import { MAX_CHECKED, leadSql, reachSql, reachedSql, setsSql } from './lead.js';
import { firstValuesSql, lookedUpSql, matchesByValueSql } from './led-by-value.js';
import { type DocumentSearch, furtherConditions, ownConditions } from './search-conditions.js';
import { type Range, type Reach, type SearchPlan, type Sets, type Term, probedSql } from './search-terms.js';
import { unwantedTerm } from './text-search.js';

/** The requested keys: the first `rows` documents of a range. */
export interface SearchedKeys {
  readonly range: Range;
  readonly rows: number;
}

/**
 * Like `keysSql`, starting from the rows of terms, or from the documents in reach. Grants are checked for each
 * document, because starting from the files of each grant would read their lists once per grant.
 */
export function keysFromLeadSql(
  caller: Caller,
  search: DocumentSearch,
  lead: Term | Reach | Sets,
  plan: SearchPlan,
  { range, rows }: SearchedKeys,
  bind: Bind,
): string {
  const { order } = range;
  const { values } = order;
  const own = ownOfLead(caller, search, bind, range);
  const isVisible = [...own, visibleDocumentsOfMany(caller, 'd', bind)].join(' AND ');
  // The first values are compared with the terms before documents are read.
  const ofFirst = values && 'reached' in lead && lead.reached === 'newest' ? values : null;
  const further = furtherConditions(caller, search, ofFirst ? { ...plan, probed: [] } : plan, bind, range);
  // Few rows of a term may be visible to a guest. PostgreSQL would check the grants last; OFFSET makes it check them first.
  const checksGrantsFirst = !caller.has('files.read') && 'view' in lead;
  const checked = checksGrantsFirst
    ? `(SELECT d.* FROM documents_search d WHERE ${isVisible} OFFSET 0) d WHERE ${['true', ...further].join(' AND ')}`
    : `documents_search d WHERE ${[isVisible, ...further].join(' AND ')}`;
  const names = keyNames(order);
  const isByCreation = order.key === 'createdAt';
  const isSorted = values !== undefined || (!isByCreation && !('view' in lead));
  const keys = isByCreation
    ? ['led.created_at']
    : names.map((name) => `${isSorted ? 'led' : 'seen'}.${name}`);
  const pageOf = (
    led: string,
    limit: string,
  ) => `SELECT ${keys.map((key, index) => `${key} AS ${names[index]}`).join(', ')}, led.document_id AS id
            FROM (${led}) led
           CROSS JOIN LATERAL (SELECT ${isSorted ? '' : keyColumns(order)}
                                 FROM ${checked} OFFSET 0) seen
           ${orderSql(order, [...keys, 'led.document_id'])} LIMIT ${limit}`;
  if (values && plan.isByValue && !('sets' in lead)) {
    const limit = bind(rows);
    return matchesByValueSql(caller, values, lead, (led) => pageOf(led, limit), limit, bind, range);
  }
  const led = ofFirst
    ? firstValuesSql(
        ofFirst,
        plan.probed.map((term) => probedSql(term, bind)),
        bind,
        range,
      )
    : ledSql(caller, search, lead, plan, bind, range);
  return pageOf(checksTexts(search, plan) ? `${led} LIMIT ${MAX_CHECKED}` : led, bind(rows));
}

function ownOfLead(caller: Caller, search: DocumentSearch, bind: Bind, range: Range): string[] {
  return [
    'd.id = led.document_id AND d.created_at = led.created_at',
    ...ownConditions(caller, search, bind, range.order.values ? { ...range, after: null } : range),
  ];
}

/** The rows that lead a search; if they are sorted, documents are checked only until the page is full. */
function ledSql(
  caller: Caller,
  search: DocumentSearch,
  lead: Term | Reach | Sets,
  { isWide }: SearchPlan,
  bind: Bind,
  range: Range,
): string {
  const { key, values } = range.order;
  const rows = () => {
    if ('view' in lead) return leadSql(lead, bind, range, isWide);
    return 'reached' in lead
      ? reachSql(caller, lead, bind, range)
      : intersectionSql(caller, search, lead, bind, range);
  };
  if (values) return lookedUpSql(rows(), bind, range);
  return key === 'createdAt' || 'view' in lead
    ? rows()
    : ledInOrderSql(rows(), ownOfLead(caller, search, bind, range), range.order);
}

/** See `setsSql`. Few documents may meet their own conditions, so these are a set, too. */
function intersectionSql(
  caller: Caller,
  search: DocumentSearch,
  lead: Sets,
  bind: Bind,
  range: Range,
): string {
  const { documentTypeIds, status, contentText, text, order } = search;
  // Only documents of one type have the values that a list is sorted by.
  const isOfType = documentTypeIds.length > 0 && !order.values;
  const isNarrow = isOfType || status !== null || contentText !== null;
  const documents = () =>
    `SELECT d.created_at, d.id AS document_id FROM documents_search d
      WHERE ${ownConditions(caller, search, bind, order.values ? { ...range, after: null } : range).join(' AND ')}`;
  const within = caller.has('files.read') ? [] : [reachedSql(caller, bind, range)];
  if (isNarrow || lead.sets.length + within.length === 0) within.push(documents());
  const unwanted = text && unwantedTerm(text);
  return setsSql(lead, within, unwanted?.candidates ? null : unwanted, bind, range);
}

/** Whether the texts of all documents of the lead are read, if they are many. */
function checksTexts(search: DocumentSearch, { lead, probed }: SearchPlan): boolean {
  const { text } = search;
  if (text === null || lead === null || !('sets' in lead)) return false;
  return probed.length > 0 || text.notAll.length > 0 || unwantedTerm(text)?.candidates !== undefined;
}

/**
 * Returns the statement for the number of documents of the lead beyond {@link MAX_CHECKED}, as `unchecked`: 0 or 1. Null
 * if the plan checks all documents.
 */
export function uncheckedStatement(
  caller: Caller,
  search: DocumentSearch,
  plan: SearchPlan,
  range: Range,
): Statement | null {
  if (!plan.lead || !checksTexts(search, plan)) return null;
  const values = new SqlParameters(caller.tenantId);
  const { bind } = values;
  const led = ledSql(caller, search, plan.lead, plan, bind, range);
  return {
    text: `SELECT count(*)::int AS unchecked FROM (SELECT FROM (${led}) led OFFSET ${MAX_CHECKED} LIMIT 1) more`,
    values: values.list,
    planEachTime: true,
  };
}

/** The documents in reach, in the order of a column of documents. Their other conditions are checked afterwards. */
function ledInOrderSql(reached: string, own: readonly string[], order: DocumentOrder): string {
  return `SELECT led.document_id, led.created_at, o.*
            FROM (${reached}) led
           CROSS JOIN LATERAL (SELECT ${keyColumns(order)} FROM documents_search d WHERE ${own.join(' AND ')} OFFSET 0) o
           ${orderSql(order, [...keyNames(order), 'document_id'])} OFFSET 0`;
}
