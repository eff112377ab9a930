import { type Position } from '../../../platform/database/paging/cursor-codec.js';
import { type Bind } from '../../../platform/database/sql-parameters.js';

const KEYS = {
  createdAt: { column: 'created_at', type: 'timestamptz' },
  updatedAt: { column: 'updated_at', type: 'timestamptz' },
  // The root collation, as for all names: case only decides between titles that are otherwise equal.
  title: { column: 'title', type: 'text', collation: 'COLLATE "und-x-icu"' },
} as const;

type Key = keyof typeof KEYS;

/** The values of `sort`; a leading `-` means descending. */
export const DOCUMENT_SORTS = [
  '-createdAt',
  'createdAt',
  'title',
  '-title',
  '-updatedAt',
  'updatedAt',
] as const satisfies readonly (Key | `-${Key}`)[];
export type DocumentSort = (typeof DOCUMENT_SORTS)[number];

/** The order of a document list: by a key, then by id, both in the same direction. */
export interface ListOrder {
  readonly key: Key;
  readonly isDescending: boolean;
}

export const NEWEST_FIRST: ListOrder = { key: 'createdAt', isDescending: true };

export function orderOf(sort: DocumentSort): ListOrder {
  return { key: sort.replace('-', '') as Key, isDescending: sort.startsWith('-') };
}

/** SQL expression: the sort key of a row `alias` of documents. */
export function keySql({ key }: ListOrder, alias: string): string {
  const { column, ...rest } = KEYS[key];
  return `${alias}.${column}${'collation' in rest ? ` ${rest.collation}` : ''}`;
}

export function sortedBy({ isDescending }: ListOrder, columns: readonly string[]): string {
  return columns.map((column) => `${column} ${isDescending ? 'DESC' : 'ASC'}`).join(', ');
}

export function orderSql(order: ListOrder, columns: readonly string[]): string {
  return `ORDER BY ${sortedBy(order, columns)}`;
}

/** SQL condition: the row comes after the position. `idColumn` has the id of the document. */
export function isAfterSql(
  order: ListOrder,
  alias: string,
  idColumn: string,
  [key, id]: Position,
  bind: Bind,
): string {
  const operator = order.isDescending ? '<' : '>';
  return `(${keySql(order, alias)}, ${alias}.${idColumn}) ${operator} (${bind(key)}::${KEYS[order.key].type}, ${bind(id)}::uuid)`;
}
