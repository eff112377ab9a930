import { byKey } from '../../../platform/database/paging/by-key.js';
import { type Bind, SqlParameters } from '../../../platform/database/sql-parameters.js';
import { type Statement } from '../../../platform/database/transactions/tenant-batch.js';
import { type Caller } from '../../../platform/tenancy/access/caller.js';
import {
  type DocumentSource,
  visibleDocumentPage,
  visibleDocumentsOfMany,
} from '../../../platform/tenancy/access/visibility.js';
import { conditionTerm } from './condition-terms.js';
import { columnsOf, keySql, orderSql, sortedBy } from '../../../platform/database/paging/list-order.js';
import {
  type SortedValues,
  documentsSql,
  inOrderSql,
  keyColumns,
  keyNames,
  optionPageSql,
} from './document-order.js';
import { type SearchedKeys, keysFromLeadSql } from './led-keys.js';
import { type PageColumns, pageSql } from './page-statement.js';
import { type DocumentSearch, furtherConditions, ownConditions } from './search-conditions.js';
import { NEWEST_LIMIT, type Range, type SearchPlan, type Term, inRange } from './search-terms.js';
import { wantedTerm } from './text-search.js';

/** Returns the terms of a search. All other criteria are conditions on the documents themselves. */
export function termsOf({ fileIds, tagIds, conditions, text, order }: DocumentSearch): Term[] {
  const terms = [
    ...fileIds.map((id) => linkTerm('document_files_search', 'file_id', id, 0)),
    ...(text?.wanted ?? []).map(wantedTerm),
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
    isImplied: true,
    rank: 9,
  };
}

function linkTerm(view: Term['view'], column: 'file_id' | 'tag_id', id: string, rank: number): Term {
  const condition = (bind: Bind) => `t.${column} = ${bind(id)}::uuid`;
  return { view, condition, isOrdered: true, rank };
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
    // In the order of the term, so that documents are read only until the page is full.
    const columns =
      plan.newestOf && plan.newestOf !== 'all'
        ? 'newest.created_at AS sort_key, newest.document_id AS id'
        : `${keyColumns(order)}, d.id`;
    const keys = `SELECT ${join && 'DISTINCT'} ${columns} FROM ${documents} ${join}
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
