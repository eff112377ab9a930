import { CURRENCIES } from '../../../common/currencies.js';
import {
  type Decimal,
  MAX_DIGITS,
  decimalOf,
  digitsOf,
  formatDecimal,
  parseDecimal,
  withFraction,
  withoutTrailingZeros,
} from '../../../common/decimal.js';
import { isJsonObject } from '../../../common/json-object.js';
import { LongNumber } from '../../../common/long-number.js';
import { isUuid, normalizeText } from '../../../common/text.js';
import { isCalendarDate } from '../../../common/timestamps.js';
import { type FieldView } from '../../document-types/document-types.reader.js';
import { textFaults } from '../../../platform/http/input/fields.js';

/** An amount of money; the digits after the point are those of the currency's minor unit. */
export interface Money {
  readonly amount: string;
  readonly currency: string;
}

/** A value in its one normal form, as it is stored and answered. */
export type FieldValue = string | Money;

/** Sentences by part of the value: '' for the value itself, `.amount`. */
export type ValueFaults = Readonly<Record<string, string>>;

export type Reading = { readonly value: FieldValue | null } | { readonly faults: ValueFaults };

type TypedField = Pick<FieldView, 'type' | 'options'>;

export const MAX_TEXT = 10_000;

const NOT_A_DECIMAL = 'must be a decimal number in digits, such as "-12.5"';
const NOT_A_NUMBER = 'must be a decimal number in digits, such as "-12.5", or a JSON number';
const TOO_LONG_FOR_JSON =
  'must be sent as a string: a JSON number has at most 15 significant digits, or it would not arrive as it was sent';
const TOO_MANY_DIGITS = `must have at most ${MAX_DIGITS} digits`;
export const WITHOUT_TYPE = 'is not a field: without documentTypeId a document has none';
const NOT_A_CURRENCY = 'must be the code of an ISO 4217 currency, such as EUR';
const NOT_A_VALUE = 'must be a string, a number, or an object with amount and currency';

/**
 * Reads a value by the type of its field; null for none, which is what an empty text is, too. Whether a Reference
 * refers to something is another question.
 */
export function readValue(field: TypedField, sent: unknown): Reading {
  if (sent === null) return { value: null };
  switch (field.type) {
    case 'Text':
      return readText(sent);
    case 'Number':
      return readNumber(sent);
    case 'Date':
      return readString(sent, isCalendarDate, 'must be a day of the calendar, YYYY-MM-DD');
    case 'Money':
      return readMoney(sent);
    case 'Enumeration': {
      const keys = new Set(field.options?.map(({ key }) => key));
      return readString(sent, (key) => keys.has(key), 'must be the key of an option of the field');
    }
    case 'Reference':
      return isUuid(sent) ? { value: sent.toLowerCase() } : fault('must be a UUID');
  }
}

function readText(sent: unknown): Reading {
  const text = normalized(sent);
  const found = textFaults(text, 0, MAX_TEXT, true);
  return found === null ? { value: (text as string) || null } : fault(found);
}

function readString(sent: unknown, isValid: (text: string) => boolean, message: string): Reading {
  const text = normalized(sent);
  return typeof text === 'string' && isValid(text) ? { value: text } : fault(message);
}

function readNumber(sent: unknown): Reading {
  if (sent instanceof LongNumber) return fault(TOO_LONG_FOR_JSON);
  const decimal = decimalFrom(sent);
  if (!decimal) return fault(NOT_A_NUMBER);
  const short = withoutTrailingZeros(decimal);
  return digitsOf(short) > MAX_DIGITS ? fault(TOO_MANY_DIGITS) : { value: formatDecimal(short) };
}

function decimalFrom(sent: unknown): Decimal | null {
  if (typeof sent === 'number') return decimalOf(sent);
  const text = normalized(sent);
  return typeof text === 'string' ? parseDecimal(text) : null;
}

function readMoney(sent: unknown): Reading {
  if (!isJsonObject(sent)) return fault('must be an object with amount and currency');
  const [amount, currency] = [normalized(sent.amount), normalized(sent.currency)];
  const digits = typeof currency === 'string' ? CURRENCIES.get(currency) : undefined;
  const decimal = typeof amount === 'string' ? parseDecimal(amount) : null;
  if (!decimal || digits === undefined) {
    const faults: Record<string, string> = {};
    if (!decimal) faults['.amount'] = stringFault(amount) ?? NOT_A_DECIMAL;
    if (digits === undefined) faults['.currency'] = stringFault(currency) ?? NOT_A_CURRENCY;
    return { faults };
  }
  if (decimal.fraction.length > digits) {
    return {
      faults: { '.amount': `must have at most ${digits} digits after the point in ${String(currency)}` },
    };
  }
  const exact = withFraction(decimal, digits);
  if (digitsOf(exact) > MAX_DIGITS) return { faults: { '.amount': TOO_MANY_DIGITS } };
  return { value: { amount: formatDecimal(exact), currency: currency as string } };
}

function stringFault(part: unknown): string | null {
  if (part === undefined || part === null) return 'is required';
  return typeof part === 'string' ? null : 'must be a string';
}

/**
 * What is wrong with a value that no field of any type accepts; null for one that some field might accept. The type of
 * the field decides about the members of an object.
 */
export function impossibleValue(sent: unknown): string | null {
  if (sent === null || typeof sent === 'number') return null;
  if (typeof sent === 'string') return textFaults(normalized(sent), 0, MAX_TEXT, true);
  if (sent instanceof LongNumber) return TOO_LONG_FOR_JSON;
  return isJsonObject(sent) ? null : NOT_A_VALUE;
}

function normalized(sent: unknown): unknown {
  return typeof sent === 'string' && sent.isWellFormed() ? normalizeText(sent) : sent;
}

function fault(message: string): Reading {
  return { faults: { '': message } };
}
