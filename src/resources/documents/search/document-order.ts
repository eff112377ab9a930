import { type ListOrder, columnsOf, keySql, orderSql } from '../../../platform/database/paging/list-order.js';
import { type Bind } from '../../../platform/database/sql-parameters.js';

/** The values that documents are sorted by. Documents without one of them are not part of the list. */
export interface SortedValues {
  readonly fieldId: string;
  /**
   * Columns of a row `v` of `document_values_search` in the order of an index, by the names that the order has for
   * them. Empty: the place of the option.
   */
  readonly columns: Readonly<Record<string, string>>;
  /** The column that only values of this type have. The index contains only these rows. */
  readonly present: string;
  /** Only for options: the keys of those to list, by ascending place. */
  readonly options?: { readonly keys: readonly string[]; readonly places: readonly string[] };
}

/** The order of a list of documents, by their own columns or by the values of a field. */
export interface DocumentOrder extends ListOrder {
  readonly values?: SortedValues;
}

/** Columns of `documentsSql` by value: those of the index, so that it finds a position. */
export const VALUE_CREATED_AT = 'value_created_at';
export const VALUE_ID = 'value_document_id';
/** The place of the option in `documentsSql`. */
export const OPTION_PLACE = 'option_place';

/**
 * FROM item: the documents `d`, with the columns of the order.
 *
 * @param byOption only those with the option `o` of {@link optionPageSql}
 * @param from other FROM item `d` with the columns `id` and `created_at` of documents
 */
export function documentsSql(
  { values }: DocumentOrder,
  bind: Bind,
  { byOption = false, from = 'documents_search d' } = {},
): string {
  if (!values) return 'documents_search d';
  const columns = Object.entries(values.columns).map(([name, sql]) => `${sql} AS ${name}`);
  const { options } = values;
  if (options) columns.push(`o.place AS ${OPTION_PLACE}`);
  const option = options && !byOption ? `JOIN ${optionsSql(values, bind)} ON o.key = v.option_key` : '';
  return `(SELECT d.*, ${columns.join(', ')}, v.created_at AS ${VALUE_CREATED_AT}, v.document_id AS ${VALUE_ID}
             FROM ${from}
             JOIN document_values_search v ON v.document_id = d.id AND v.created_at = d.created_at ${option}
            WHERE v.tenant_id = $1 AND v.field_id = ${bind(values.fieldId)}::uuid AND v.${values.present} IS NOT NULL
              ${options && byOption ? 'AND v.option_key = o.key' : ''}) d`;
}

/**
 * FROM item: the values of the order as rows `d`, with the columns that {@link documentsSql} has for the order, without the
 * documents. An index has them in this order. Not for options.
 */
export function valuesSql({ fieldId, columns, present }: SortedValues, bind: Bind): string {
  const named = Object.entries(columns).map(([name, sql]) => `${sql} AS ${name}`);
  return `(SELECT v.document_id AS id, v.created_at, ${named.join(', ')}, v.created_at AS ${VALUE_CREATED_AT}, v.document_id AS ${VALUE_ID}
             FROM document_values_search v
            WHERE v.tenant_id = $1 AND v.field_id = ${bind(fieldId)}::uuid AND v.${present} IS NOT NULL) d`;
}

/** FROM item: the options `o` of the order. */
function optionsSql({ options }: SortedValues, bind: Bind): string {
  return `unnest(${bind(options?.keys)}::text[], ${bind(options?.places)}::integer[]) AS o (key, place)`;
}

/**
 * The first keys of all options, from those of each option: an index has the documents of one option in order, not those
 * of several. Returns `page` for other orders.
 *
 * @param page SELECT of the first keys of an option `o`
 */
export function optionPageSql(order: DocumentOrder, page: string, limit: string, bind: Bind): string {
  if (!order.values?.options) return page;
  return `SELECT top.* FROM ${optionsSql(order.values, bind)} CROSS JOIN LATERAL (${page}) top
           ${inOrderSql(order)} LIMIT ${limit}`;
}

/** The names of the sort keys in rows of keys; `id` is the last key. */
export function keyNames(order: DocumentOrder): string[] {
  return columnsOf(order).map((_, index) => (index === 0 ? 'sort_key' : `sort_key_${index + 1}`));
}

/** Select list: the sort keys of a row `d`. */
export function keyColumns(order: DocumentOrder): string {
  const names = keyNames(order);
  return columnsOf(order)
    .map((column, index) => `${keySql(column, 'd')} AS ${names[index]}`)
    .join(', ');
}

/** ORDER BY of rows of keys. */
export function inOrderSql(order: DocumentOrder): string {
  return orderSql(order, [...keyNames(order), 'id']);
}
