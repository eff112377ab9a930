import { CURRENCIES } from '../../../common/currencies.js';
import {
  type Decimal,
  MAX_DIGITS,
  decimalOf,
  countDigits,
  formatDecimal,
  parseDecimal,
  withFraction,
  withoutTrailingZeros,
} from '../../../common/decimal.js';
import { isJsonObject } from '../../../common/json-object.js';
import { LongNumber } from '../../../common/long-number.js';
import { type Message, message } from '../../../common/messages/message.js';
import { textError } from '../../../common/text-error.js';
import { isUuid, normalizeText } from '../../../common/text.js';
import { isCalendarDate } from '../../../common/timestamps.js';
import { type FieldView } from '../../document-types/document-types.reader.js';

/** An amount of money, with the decimal places of the minor unit of its currency. */
interface Money {
  readonly amount: string;
  readonly currency: string;
}

/** A value in its normal form, as stored and returned. */
export type FieldValue = string | Money;

/** Messages by part of the value: '' for the value itself, or `.amount`. */
type ValuePartErrors = Readonly<Record<string, Message>>;

export type ReadResult = { readonly value: FieldValue | null } | { readonly errors: ValuePartErrors };

type TypedField = Pick<FieldView, 'type' | 'options'>;

export const MAX_TEXT = 10_000;

const TOO_LONG_FOR_JSON = message('field.inexact-number');
const TOO_MANY_DIGITS = message('field.max-digits', { max: MAX_DIGITS });
export const WITHOUT_TYPE = message('field.without-type');

/**
 * Validates and normalizes a value by the type of its field. Null and empty texts mean no value. Does not
 * check whether the target of a Reference exists.
 */
export function readValue(field: TypedField, sent: unknown): ReadResult {
  if (sent === null) return { value: null };
  switch (field.type) {
    case 'Text':
      return readText(sent);
    case 'Number':
      return readNumber(sent);
    case 'Date':
      return readString(sent, isCalendarDate, message('field.date'));
    case 'Money':
      return readMoney(sent);
    case 'Enumeration': {
      const keys = new Set(field.options?.map(({ key }) => key));
      return readString(sent, (key) => keys.has(key), message('field.option'));
    }
    case 'Reference':
      return isUuid(sent) ? { value: sent.toLowerCase() } : failure(message('value.uuid'));
  }
}

function readText(sent: unknown): ReadResult {
  const text = normalized(sent);
  const found = textError(text, 0, MAX_TEXT, true);
  return found === null ? { value: (text as string) || null } : failure(found);
}

function readString(sent: unknown, isValid: (text: string) => boolean, found: Message): ReadResult {
  const text = normalized(sent);
  return typeof text === 'string' && isValid(text) ? { value: text } : failure(found);
}

function readNumber(sent: unknown): ReadResult {
  if (sent instanceof LongNumber) return failure(TOO_LONG_FOR_JSON);
  const decimal = decimalFrom(sent);
  if (!decimal) return failure(message('field.number'));
  const short = withoutTrailingZeros(decimal);
  return countDigits(short) > MAX_DIGITS ? failure(TOO_MANY_DIGITS) : { value: formatDecimal(short) };
}

function decimalFrom(sent: unknown): Decimal | null {
  if (typeof sent === 'number') return decimalOf(sent);
  const text = normalized(sent);
  return typeof text === 'string' ? parseDecimal(text) : null;
}

function readMoney(sent: unknown): ReadResult {
  if (!isJsonObject(sent)) return failure(message('field.money'));
  const [amount, currency] = [normalized(sent.amount), normalized(sent.currency)];
  const digits = typeof currency === 'string' ? CURRENCIES.get(currency) : undefined;
  const decimal = typeof amount === 'string' ? parseDecimal(amount) : null;
  if (!decimal || digits === undefined) {
    const errors: Record<string, Message> = {};
    if (!decimal) errors['.amount'] = stringError(amount) ?? message('field.decimal');
    if (digits === undefined) errors['.currency'] = stringError(currency) ?? message('field.currency');
    return { errors };
  }
  if (decimal.fraction.length > digits) {
    return {
      errors: { '.amount': message('field.max-fraction', { max: digits, currency: String(currency) }) },
    };
  }
  const exact = withFraction(decimal, digits);
  if (countDigits(exact) > MAX_DIGITS) return { errors: { '.amount': TOO_MANY_DIGITS } };
  return { value: { amount: formatDecimal(exact), currency: currency as string } };
}

function stringError(part: unknown): Message | null {
  if (part === undefined || part === null) return message('value.required');
  return typeof part === 'string' ? null : message('value.string');
}

/**
 * Returns the error of a value that no field type accepts; null if some field type may accept it. Members of
 * objects are checked later, by the type of the field.
 */
export function valueShapeError(sent: unknown): Message | null {
  if (sent === null || typeof sent === 'number') return null;
  if (typeof sent === 'string') return textError(normalized(sent), 0, MAX_TEXT, true);
  if (sent instanceof LongNumber) return TOO_LONG_FOR_JSON;
  return isJsonObject(sent) ? null : message('field.value');
}

function normalized(sent: unknown): unknown {
  return typeof sent === 'string' && sent.isWellFormed() ? normalizeText(sent) : sent;
}

function failure(found: Message): ReadResult {
  return { errors: { '': found } };
}
