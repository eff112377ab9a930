import { CURRENCIES } from '../../common/currencies.js';
import {
  MAX_DIGITS,
  countDigits,
  formatDecimal,
  parseDecimal,
  withoutTrailingZeros,
} from '../../common/decimal.js';
import { type Message, message } from '../../common/messages/message.js';
import { textError } from '../../common/text-error.js';
import { caseFold, isUuid, normalizeText } from '../../common/text.js';
import { isCalendarDate } from '../../common/timestamps.js';
import { FIELD_TYPES, type FieldType } from '../document-types/document-types.reader.js';
import { type ConditionOperator, type Operand } from './metadata-condition.js';

const ANY: readonly ConditionOperator[] = ['EqualTo', 'NotEqualTo', 'IsEmpty', 'IsNotEmpty'];
const ORDERED: readonly ConditionOperator[] = [
  ...ANY,
  'GreaterThan',
  'GreaterThanOrEqual',
  'LessThan',
  'LessThanOrEqual',
];

const OPERATORS: Readonly<Record<FieldType, readonly ConditionOperator[]>> = {
  Text: [...ANY, 'Contains'],
  Number: ORDERED,
  Date: ORDERED,
  Money: ORDERED,
  Enumeration: ANY,
  Reference: ANY,
};

const OPERANDS: Readonly<Record<FieldType, string>> = {
  Text: 'the whole text (`Contains`: a part of it), ignoring case',
  Number: '`"-12.5"`',
  Date: '`"2026-11-20"`',
  Money: '`"1234.50"`, or in one currency only: `"1234.50 EUR"`',
  Enumeration: 'the key of an option',
  Reference: 'the id of the file, document or user',
};

/** The operators of each field type, as a table in the API documentation. */
export const CONDITIONS_TABLE = [
  '| Type of the field | `operator` | `value` |',
  '| --- | --- | --- |',
  ...FIELD_TYPES.map((type) => `| \`${type}\` | ${OPERATORS[type].join(', ')} | ${OPERANDS[type]} |`),
].join('\n');

const MAX_TEXT = 10_000;

export function supportsOperator(type: FieldType, operator: ConditionOperator): boolean {
  return OPERATORS[type].includes(operator);
}

export function isPresenceOperator(operator: ConditionOperator): boolean {
  return operator === 'IsEmpty' || operator === 'IsNotEmpty';
}

/** Parses the value to compare with. Returns a message if values of the type cannot be compared with it. */
export function readOperand(type: FieldType, given: string): Operand | Message {
  const value = given.isWellFormed() ? normalizeText(given) : given;
  // An unknown option matches nothing, so any text is accepted.
  const found = textError(value, type === 'Enumeration' ? 0 : 1, MAX_TEXT, true);
  if (found !== null) return found;
  switch (type) {
    case 'Text':
      return plain(caseFold(value));
    case 'Number':
      return readNumber(value, null);
    case 'Date':
      return isCalendarDate(value) ? plain(value) : message('field.date');
    case 'Money':
      return readMoney(value);
    case 'Enumeration':
      return plain(value);
    case 'Reference':
      return isUuid(value) ? plain(value.toLowerCase()) : message('value.uuid');
  }
}

function readMoney(value: string): Operand | Message {
  const [amount = '', currency, ...more] = value.split(/\s+/);
  if (more.length > 0 || (currency !== undefined && !CURRENCIES.has(currency)))
    return message('filter.amount');
  return readNumber(amount, currency ?? null);
}

function readNumber(text: string, currency: string | null): Operand | Message {
  const decimal = parseDecimal(text);
  if (!decimal) return message('field.decimal');
  const short = withoutTrailingZeros(decimal);
  return countDigits(short) > MAX_DIGITS
    ? message('field.max-digits', { max: MAX_DIGITS })
    : { value: formatDecimal(short), currency };
}

function plain(value: string): Operand {
  return { value, currency: null };
}
