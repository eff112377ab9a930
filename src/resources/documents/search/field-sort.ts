import { caseFold } from '../../../common/text.js';
import { type Position } from '../../../platform/database/paging/cursor-codec.js';
import {
  BY_NAME,
  CREATED_AT,
  NEWEST_FIRST,
  type SortColumn,
} from '../../../platform/database/paging/list-order.js';
import { type ResolvedCondition } from '../../document-filters/document-filters.reader.js';
import { type FieldType, type FieldView } from '../../document-types/document-types.reader.js';
import { type FieldValue } from '../values/value-rules.js';
import { type DocumentEntity } from '../document.entity.js';
import { INDEXED_TEXT } from './condition-terms.js';
import { type DocumentOrder, type SortedValues, OPTION_PLACE, VALUE_CREATED_AT } from './document-order.js';

/** The order of a list by a field of a document type, then by creation time and id. */
export interface FieldSort {
  readonly field: FieldView;
  readonly documentTypeId: string;
  readonly isDescending: boolean;
}

/** A part of a list. The next part begins when the documents of this one have been listed. */
export interface ListPart {
  readonly order: DocumentOrder;
  readonly conditions: readonly ResolvedCondition[];
  /** Only documents after this position. */
  readonly after: Position | null;
}

interface ValueOrder extends Pick<SortedValues, 'columns' | 'present'> {
  /** The columns of the order, most significant first. */
  readonly keys: readonly SortColumn[];
  /** The keys of a value in its normal form. */
  readonly keysOf: (value: FieldValue) => string[];
}

const ORDERS: Readonly<Record<Exclude<FieldType, 'Enumeration' | 'Reference'>, ValueOrder>> = {
  Text: {
    columns: { value: `left(v.text_key, ${INDEXED_TEXT})` },
    present: 'text_key',
    keys: [{ column: 'value', ...BY_NAME }],
    keysOf: (value) => [[...caseFold(value as string)].slice(0, INDEXED_TEXT).join('')],
  },
  Number: {
    columns: { value: 'v.number_value' },
    present: 'number_value',
    keys: [{ column: 'value', type: 'numeric' }],
    keysOf: (value) => [value as string],
  },
  Money: {
    columns: { currency: 'v.currency', amount: 'v.number_value' },
    present: 'currency',
    keys: [
      { column: 'currency', type: 'text' },
      { column: 'amount', type: 'numeric' },
    ],
    keysOf: (value) => (typeof value === 'string' ? [] : [value.currency, value.amount]),
  },
  Date: {
    columns: { value: 'v.date_value' },
    present: 'date_value',
    keys: [{ column: 'value', type: 'date' }],
    keysOf: (value) => [value as string],
  },
};

const BY_CREATION: SortColumn = { ...CREATED_AT, column: VALUE_CREATED_AT };

/**
 * The parts of a list: the documents with a value, then those without one, newest first. An index has the documents of
 * one option in order, so the first option is a part of its own.
 *
 * @param after see {@link positionOf}
 */
export function partsOf(sort: FieldSort, after: Position | null): ListPart[] {
  const isWithoutValue = after !== null && after.length === POSITION_WITHOUT_VALUE;
  const without = {
    order: NEWEST_FIRST,
    conditions: [conditionOf(sort, 'IsEmpty', null)],
    after: isWithoutValue ? after : null,
  };
  if (isWithoutValue) return [without];
  const { field, isDescending } = sort;
  const key = `fields.${field.key}`;
  if (field.type === 'Enumeration') return [...optionParts(sort, key, after), without];
  if (field.type === 'Reference') return [without];
  const { keys, columns, present } = ORDERS[field.type];
  const [first = BY_CREATION, ...further] = [...keys, BY_CREATION];
  const values = { fieldId: field.id, columns, present };
  return [{ order: { ...first, further, key, isDescending, values }, conditions: [], after }, without];
}

function optionParts(sort: FieldSort, key: string, after: Position | null): ListPart[] {
  const { field, isDescending } = sort;
  const options = (field.options ?? []).map(({ key: option }, place) => ({ option, place: String(place) }));
  if (isDescending) options.reverse();
  const start = after === null ? 0 : options.findIndex(({ option }) => option === after[0]);
  const [current, ...later] = options.slice(start);
  const values: SortedValues = {
    fieldId: field.id,
    columns: {},
    present: 'option_key',
    options: { keys: later.map(({ option }) => option), places: later.map(({ place }) => place) },
  };
  const place: SortColumn = { column: OPTION_PLACE, type: 'integer' };
  const ofCurrent = (option: string): ListPart => ({
    order: { ...CREATED_AT, key: 'createdAt', isDescending },
    conditions: [conditionOf(sort, 'EqualTo', option)],
    after: after && after.slice(1),
  });
  const ofLater: ListPart = {
    order: { ...place, further: [BY_CREATION], key, isDescending, values },
    conditions: [],
    after: null,
  };
  return [...(current ? [ofCurrent(current.option)] : []), ...(later.length > 0 ? [ofLater] : [])];
}

function conditionOf(
  { field, documentTypeId }: FieldSort,
  operator: 'EqualTo' | 'IsEmpty',
  value: string | null,
): ResolvedCondition {
  const operand = value === null ? null : { value, currency: null };
  const part = { type: field.type, fieldIds: [field.id], documentTypeIds: [documentTypeId], operand };
  return { fieldKey: field.key, operator, parts: [part] };
}

/** Number of members of a position among the documents without a value: `created_at`, id. */
const POSITION_WITHOUT_VALUE = 2;

/** The position of a document: the keys of its value, if it has one, then `created_at` and id. */
export function positionOf(
  { field }: FieldSort,
  { fields, createdAt, id }: Pick<DocumentEntity, 'fields' | 'createdAt' | 'id'>,
): Position {
  const value = fields[field.key] as FieldValue | undefined;
  if (value === undefined || field.type === 'Reference') return [createdAt, id];
  const keys = field.type === 'Enumeration' ? [value as string] : ORDERS[field.type].keysOf(value);
  return [...keys, createdAt, id];
}
