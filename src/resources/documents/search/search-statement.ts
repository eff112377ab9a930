import { byKey } from '../../../platform/database/paging/by-key.js';
import { type Bind, SqlParameters } from '../../../platform/database/sql-parameters.js';
import { type Statement } from '../../../platform/database/transactions/tenant-batch.js';
import { type Caller } from '../../../platform/tenancy/access/caller.js';
import {
  type DocumentSource,
  binCondition,
  visibleDocumentPage,
  visibleDocumentsOfMany,
  visibleFiles,
} from '../../../platform/tenancy/access/visibility.js';
import { type ResolvedCondition } from '../../document-filters/document-filters.reader.js';
import { type ContentText, type DocumentStatus } from '../document.entity.js';
import { absenceSql, conditionTerm } from './condition-terms.js';
import { columnsOf, keySql, orderSql, sortedBy } from '../../../platform/database/paging/list-order.js';
import {
  type DocumentOrder,
  type SortedValues,
  documentsSql,
  inOrderSql,
  keyColumns,
  keyNames,
  optionPageSql,
} from './document-order.js';
import { reachSql } from './reach.js';
import { type PageColumns, pageSql } from './page-statement.js';
import {
  NEWEST_LIMIT,
  type Range,
  type Reach,
  type SearchPlan,
  type Term,
  inRange,
  joinedSql,
  leadSql,
  probedSql,
} from './search-terms.js';
import { type TextSearch, notAllTerms, textTerms, unwantedTerm } from './text-search.js';

/** A document must meet all criteria. */
export interface DocumentSearch {
  /** Several different ids, or an unknown one, match nothing. */
  readonly documentTypeIds: readonly string[];
  readonly fileIds: readonly string[];
  readonly tagIds: readonly string[];
  readonly conditions: readonly ResolvedCondition[];
  readonly text: TextSearch | null;
  /** Null: all except documents in the bin. */
  readonly status: DocumentStatus | null;
  /** Null: any, and documents without content. */
  readonly contentText: ContentText | null;
  /** ISO 8601; the start is inclusive, the end is exclusive. */
  readonly createdFrom: string | null;
  readonly createdTo: string | null;
  readonly order: DocumentOrder;
}

/** Returns the terms of a search. All other criteria are conditions on the documents themselves. */
export function termsOf({ fileIds, tagIds, conditions, text, order }: DocumentSearch): Term[] {
  const terms = [
    ...fileIds.map((id) => linkTerm('document_files_search', 'file_id', id, 0)),
    ...(text === null ? [] : textTerms(text)),
    ...conditions.flatMap((condition) => conditionTerm(condition) ?? []),
    ...tagIds.map((id) => linkTerm('document_tags_search', 'tag_id', id, 5)),
  ];
  return order.values && terms.length > 0 ? [...terms, valuesTerm(order.values)] : terms;
}

/** The values that documents are sorted by. If there are few, they lead the search. */
function valuesTerm({ fieldId, present, options }: SortedValues): Term {
  return {
    view: 'document_values_search',
    condition: (bind) =>
      `t.field_id = ${bind(fieldId)}::uuid AND t.${present} IS NOT NULL` +
      (options ? ` AND t.option_key = ANY (${bind(options.keys)}::text[])` : ''),
    isOrdered: false,
    isCountable: true,
    isImplied: true,
    rank: 9,
  };
}

function linkTerm(view: Term['view'], column: 'file_id' | 'tag_id', id: string, rank: number): Term {
  const condition = (bind: Bind) => `t.${column} = ${bind(id)}::uuid`;
  return { view, condition, isOrdered: true, isCountable: true, rank };
}

/** The requested keys: the first `rows` documents of a range. */
interface SearchedKeys {
  readonly range: Range;
  readonly rows: number;
}

interface SearchedPage extends SearchedKeys {
  /** Maximum size of the documents. */
  readonly bytes: number;
}

/**
 * Returns the statement for one page. Searches use views, because row-level security keeps the planner from
 * using some indexes. They are planned for the values of each search. The documents on the page are read
 * under row-level security.
 */
export function searchStatement(
  caller: Caller,
  search: DocumentSearch,
  plan: SearchPlan,
  page: SearchedPage,
  columns: PageColumns,
): Statement {
  const values = new SqlParameters(caller.tenantId);
  const { bind } = values;
  const names = keyNames(search.order);
  const found = {
    sql: keysSql(caller, search, plan, page, bind),
    columns: names.map((name) => `found.${name} AS found_${name}`).join(', '),
    order: (prefix: string) =>
      sortedBy(
        search.order,
        [...names, 'id'].map((name) => `${prefix}found_${name}`),
      ),
    extra: 'd.bytes_before::int AS "bytesBefore"',
    bytes: page.bytes,
  };
  return { text: pageSql(found, columns, bind), values: values.list, planEachTime: true };
}

const ANY = { join: '', ordered: null };

/**
 * Returns the statement for the keys (`keyNames`, `id`) of the matching documents, in the order of the range.
 */
export function keysSql(
  caller: Caller,
  search: DocumentSearch,
  plan: SearchPlan,
  { range, rows }: SearchedKeys,
  bind: Bind,
): string {
  if (plan.lead) return keysFromLeadSql(caller, search, plan.lead, plan, { range, rows }, bind);
  const [only, ...others] = plan.joined;
  if (only?.parts && others.length === 0) {
    // Reads one page of each part in the order of its index. One query for all parts would read and sort all
    // rows.
    const pages = only.parts.map((part) =>
      keysSql(caller, search, { ...plan, joined: [part] }, { range, rows }, bind),
    );
    return `SELECT page.* FROM (${pages.map((page) => `(${page})`).join(' UNION ALL ')}) page
             ${inOrderSql(range.order)} LIMIT ${bind(rows)}`;
  }
  const limit = bind(rows);
  const own = ownConditions(caller, search, bind, range);
  const { order } = range;
  const inOrder = inOrderSql(order);
  // A caller with grants only has a page for each grant, with fewer documents.
  const byOption = caller.has('files.read') && plan.newestOf === null;
  const otherConditions = furtherConditions(caller, search, plan, bind, range);
  const page = ({ join, condition, ordered }: DocumentSource): string => {
    const rangeOfSource = ordered ? inRange(ordered, 'document_id', bind, range) : [];
    const documents = plan.newestOf
      ? newestSql(plan.newestOf, own, bind, range)
      : documentsSql(order, bind, { byOption });
    const all = [...own, condition, ...rangeOfSource, ...otherConditions];
    const keys = `SELECT ${join && 'DISTINCT'} ${keyColumns(order)}, d.id FROM ${documents} ${join}
                   WHERE ${all.join(' AND ')} ${inOrder} LIMIT ${limit}`;
    return byOption ? optionPageSql(order, keys, limit, bind) : keys;
  };
  if (plan.newestOf) return page({ ...ANY, condition: visibleDocumentsOfMany(caller, 'd', bind) });
  return visibleDocumentPage(caller, bind, page, `${inOrder} LIMIT ${limit}`);
}

/** FROM item: the first documents `d` of a range, of all documents or of those that match a term. */
function newestSql(term: 'all' | Term, own: readonly string[], bind: Bind, range: Range): string {
  const { order } = range;
  if (term === 'all')
    return `(SELECT d.* FROM ${documentsSql(order, bind)} WHERE ${own.join(' AND ')}
              ${orderSql(order, [...columnsOf(order).map((column) => keySql(column, 'd')), 'd.id'])} LIMIT ${NEWEST_LIMIT}) d`;
  const conditions = ['t.tenant_id = $1', term.condition(bind), ...inRange('t', 'document_id', bind, range)];
  return `(SELECT t.created_at, t.document_id FROM ${term.view} t WHERE ${conditions.join(' AND ')}
            ${orderSql(order, ['t.created_at', 't.document_id'])} LIMIT ${NEWEST_LIMIT}) newest
         ${byKey('documents_search', 'd', 'newest.document_id')}`;
}

/**
 * Like {@link keysSql}, starting from the rows of one term, or from the documents in reach. Grants are checked for each
 * document, because starting from the files of each grant would read their lists once per grant.
 */
function keysFromLeadSql(
  caller: Caller,
  search: DocumentSearch,
  lead: Term | Reach,
  plan: SearchPlan,
  { range, rows }: SearchedKeys,
  bind: Bind,
): string {
  const { order } = range;
  const { values } = order;
  const own = [
    'd.id = led.document_id AND d.created_at = led.created_at',
    ...ownConditions(caller, search, bind, values ? { ...range, after: null } : range),
  ];
  const isVisible = [...own, visibleDocumentsOfMany(caller, 'd', bind)].join(' AND ');
  const further = furtherConditions(caller, search, plan, bind, range);
  // Few rows of a term may be visible to a guest. PostgreSQL would check the grants last; OFFSET makes it check them first.
  const checksGrantsFirst = !caller.has('files.read') && !('reached' in lead);
  const checked = checksGrantsFirst
    ? `(SELECT d.* FROM documents_search d WHERE ${isVisible} OFFSET 0) d WHERE ${['true', ...further].join(' AND ')}`
    : `documents_search d WHERE ${[isVisible, ...further].join(' AND ')}`;
  const names = keyNames(order);
  const isByCreation = order.key === 'createdAt';
  const isByOther = !values && !isByCreation && 'reached' in lead;
  const rowsOfLead = 'reached' in lead ? reachSql(caller, lead, bind, range) : leadSql(lead, bind, range);
  const inOrder = isByOther ? ledInOrderSql(rowsOfLead, own, order) : rowsOfLead;
  const led = values ? ledByValueSql(rowsOfLead, bind, range) : inOrder;
  // If `led` is sorted, documents are checked only until the page is full.
  const isSorted = isByOther || values !== undefined;
  const keys = isByCreation
    ? ['led.created_at']
    : names.map((name) => `${isSorted ? 'led' : 'seen'}.${name}`);
  return `SELECT ${keys.map((key, index) => `${key} AS ${names[index]}`).join(', ')}, led.document_id AS id
            FROM (${led}) led
           CROSS JOIN LATERAL (SELECT ${isSorted ? '' : keyColumns(order)}
                                 FROM ${checked} OFFSET 0) seen
           ${orderSql(order, [...keys, 'led.document_id'])} LIMIT ${bind(rows)}`;
}

/**
 * The rows of `leadSql` with a value, in the order of the values. OFFSET keeps PostgreSQL from reading all values of the
 * field.
 */
function ledByValueSql(terms: string, bind: Bind, range: Range): string {
  const { order } = range;
  const documents = documentsSql(order, bind, { from: '(SELECT led.document_id AS id, led.created_at) d' });
  const conditions = ['true', ...inRange('d', 'id', bind, range)];
  return `SELECT led.document_id, led.created_at, v.*
            FROM (${terms}) led
           CROSS JOIN LATERAL (SELECT ${keyColumns(order)} FROM ${documents} WHERE ${conditions.join(' AND ')} OFFSET 0) v
           ${orderSql(order, [...keyNames(order), 'document_id'])} OFFSET 0`;
}

/** The documents in reach, in the order of a column of documents. Their other conditions are checked afterwards. */
function ledInOrderSql(reached: string, own: readonly string[], order: DocumentOrder): string {
  return `SELECT led.document_id, led.created_at, o.*
            FROM (${reached}) led
           CROSS JOIN LATERAL (SELECT ${keyColumns(order)} FROM documents_search d WHERE ${own.join(' AND ')} OFFSET 0) o
           ${orderSql(order, [...keyNames(order), 'document_id'])} OFFSET 0`;
}

/**
 * Conditions that an index of documents covers, so that the newest documents are found without reading more
 * rows.
 */
function ownConditions(
  caller: Caller,
  { documentTypeIds, status, contentText }: DocumentSearch,
  bind: Bind,
  range: Range,
): string[] {
  return [
    'd.tenant_id = $1',
    binCondition(caller, 'd'),
    status === null ? `d.status <> 'Deleted'` : `d.status = ${bind(status)}`,
    ...(contentText === null ? [] : [`d.content_text = ${bind(contentText)}`]),
    ...documentTypeIds.map((id) => `d.document_type_id = ${bind(id)}::uuid`),
    ...inRange('d', 'id', bind, range),
  ];
}

function furtherConditions(
  caller: Caller,
  { fileIds, conditions, text }: DocumentSearch,
  { joined, probed }: SearchPlan,
  bind: Bind,
  range: Range,
): string[] {
  const absences = conditions.filter((condition) => !conditionTerm(condition));
  const unwanted = text === null ? null : unwantedTerm(text);
  const notAll = (text === null ? [] : notAllTerms(text)).map((term) => probedSql(term, bind));
  return [
    ...joined.map((term) => joinedSql(term, bind, range)),
    ...probed.map((term) => probedSql(term, bind)),
    ...absences.map((condition) => absenceSql(condition, bind)),
    ...(unwanted ? [`NOT ${probedSql(unwanted, bind)}`] : []),
    ...(notAll.length > 0 ? [`NOT (${notAll.join(' AND ')})`] : []),
    ...fileIds.map((id) => fileVisibleSql(caller, id, bind)),
  ];
}

/**
 * SQL condition: the file is visible to the caller. Otherwise, a search would reveal the documents of an
 * invisible file.
 */
function fileVisibleSql(caller: Caller, id: string, bind: Bind): string {
  if (caller.has('files.read')) return 'true';
  return `EXISTS (SELECT FROM files f
    WHERE f.tenant_id = $1 AND f.id = ${bind(id)}::uuid AND ${visibleFiles(caller, 'f', bind)})`;
}
