import {
  BY_NAME,
  CREATED_AT,
  type SortColumns,
  UPDATED_AT,
} from '../../../platform/database/paging/list-order.js';
import { FIELD_KEY } from '../../document-types/document-types.reader.js';

type Key = 'createdAt' | 'updatedAt' | 'title';

export const DOCUMENT_ORDERS: SortColumns<Key> = {
  createdAt: CREATED_AT,
  updatedAt: UPDATED_AT,
  title: { column: 'title', ...BY_NAME },
};

/** The values of `sort` by the documents' own columns; a leading `-` means descending. */
export const DOCUMENT_SORTS = [
  '-createdAt',
  'createdAt',
  'title',
  '-title',
  '-updatedAt',
  'updatedAt',
] as const satisfies readonly (Key | `-${Key}`)[];
/** `fields.` is followed by the key of a field. */
export type DocumentSort = (typeof DOCUMENT_SORTS)[number] | FieldSortName;
type FieldSortName = `fields.${string}` | `-fields.${string}`;

const FIELD_KEYS = FIELD_KEY.source.slice(1, -1);
export const SORT_PATTERN = new RegExp(`^-?(createdAt|title|updatedAt|fields\\.${FIELD_KEYS})$`);

export function isFieldSort(sort: DocumentSort): sort is FieldSortName {
  return sort.includes('.');
}
