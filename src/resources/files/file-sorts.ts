import {
  BY_NAME,
  CREATED_AT,
  type SortColumns,
  UPDATED_AT,
} from '../../platform/database/paging/list-order.js';

type Key = 'number' | 'name' | 'createdAt' | 'updatedAt' | 'closedAt';

export const FILE_ORDERS: SortColumns<Key> = {
  // Digits are compared as numbers.
  number: { column: 'number', type: 'text', collation: 'COLLATE natural_order' },
  name: { column: 'name', ...BY_NAME },
  createdAt: CREATED_AT,
  updatedAt: UPDATED_AT,
  closedAt: { column: 'closed_at', type: 'timestamptz' },
};

/** The values of `sort`; a leading `-` means descending. */
export const FILE_SORTS = (Object.keys(FILE_ORDERS) as Key[]).flatMap((key) => [key, `-${key}`] as const);
export type FileSort = (typeof FILE_SORTS)[number];
