import { type Bind } from '../sql-parameters.js';
import { type Position } from './cursor-codec.js';

/** A column that a list can be sorted by. */
export interface SortColumn {
  readonly column: string;
  readonly type: 'text' | 'timestamptz' | 'numeric' | 'date' | 'integer';
  /** COLLATE clause. */
  readonly collation?: string;
}

/** The columns of a list by the names that `sort` has for them. */
export type SortColumns<K extends string> = Readonly<Record<K, SortColumn>>;

export const CREATED_AT: SortColumn = { column: 'created_at', type: 'timestamptz' };
export const UPDATED_AT: SortColumn = { column: 'updated_at', type: 'timestamptz' };
/** The root collation, as for all names: case only decides between names that are otherwise equal. */
export const BY_NAME = { type: 'text', collation: 'COLLATE "und-x-icu"' } as const;

/** The order of a list: by a column, then by id, all in the same direction. */
export interface ListOrder<K extends string = string> extends SortColumn {
  readonly key: K;
  readonly isDescending: boolean;
  /** Columns that decide between equal keys, before the id. */
  readonly further?: readonly SortColumn[];
}

export const NEWEST_FIRST: ListOrder<'createdAt'> = { ...CREATED_AT, key: 'createdAt', isDescending: true };

/** @param sort name of a column; a leading `-` means descending */
export function orderOf<K extends string>(columns: SortColumns<K>, sort: K | `-${K}`): ListOrder<K> {
  const key = sort.replace('-', '') as K;
  return { ...columns[key], key, isDescending: sort.startsWith('-') };
}

/** SQL expression: the sort key of a row `alias`. */
export function keySql({ column, collation = '' }: SortColumn, alias: string): string {
  return `${alias}.${column} ${collation}`.trimEnd();
}

export function columnsOf(order: ListOrder): readonly SortColumn[] {
  return [order, ...(order.further ?? [])];
}

export function sortedBy({ isDescending }: ListOrder, columns: readonly string[]): string {
  return columns.map((column) => `${column} ${isDescending ? 'DESC' : 'ASC'}`).join(', ');
}

export function orderSql(order: ListOrder, columns: readonly string[]): string {
  return `ORDER BY ${sortedBy(order, columns)}`;
}

/** SQL condition: the row comes after the position. `idColumn` has the id of the row. */
export function isAfterSql(
  order: ListOrder,
  alias: string,
  idColumn: string,
  position: Position,
  bind: Bind,
): string {
  const operator = order.isDescending ? '<' : '>';
  const columns = columnsOf(order);
  const own = columns.map((column) => keySql(column, alias));
  const given = columns.map(({ type }, index) => `${bind(position[index])}::${type}`);
  const id = `${bind(position[columns.length])}::uuid`;
  return `(${own.join(', ')}, ${alias}.${idColumn}) ${operator} (${given.join(', ')}, ${id})`;
}
