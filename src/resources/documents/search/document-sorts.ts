import {
  BY_NAME,
  CREATED_AT,
  type SortColumns,
  UPDATED_AT,
} from '../../../platform/database/paging/list-order.js';

type Key = 'createdAt' | 'updatedAt' | 'title';

export const DOCUMENT_ORDERS: SortColumns<Key> = {
  createdAt: CREATED_AT,
  updatedAt: UPDATED_AT,
  title: { column: 'title', ...BY_NAME },
};

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
