import { MAX_DIGITS } from '../../../common/decimal.js';
import { FIELD_TYPES, type FieldType } from '../../document-types/document-types.reader.js';
import { MAX_TEXT } from './value-rules.js';

interface Format {
  /** Describes the accepted values. */
  readonly input: string;
  /** In JSON; null if it depends on the document type or the tenant. */
  readonly example: string | null;
  readonly answer: string;
}

const FORMATS: Readonly<Record<FieldType, Format>> = {
  Text: {
    input: `a string of at most ${MAX_TEXT} characters; an empty string counts as no value`,
    example: '"Am Markt 3"',
    answer: 'a string',
  },
  Number: {
    input: `a decimal number of at most ${MAX_DIGITS} digits as a string, or a JSON number of at most 15 digits`,
    example: '"-12.50"',
    answer: 'a string without trailing zeros: `"-12.5"`',
  },
  Date: { input: 'a calendar date', example: '"2026-11-20"', answer: 'as sent' },
  Money: {
    input: `the amount as a string and an ISO 4217 currency code; at most ${MAX_DIGITS} digits, and at most as many decimal places as the currency has`,
    example: '{ "amount": "1234.5", "currency": "EUR" }',
    answer: 'with all decimal places of the currency: `"1234.50"`',
  },
  Enumeration: { input: 'the key of an option of the field', example: null, answer: 'as sent' },
  Reference: {
    input: 'the id of the file, document or user that the field refers to',
    example: null,
    answer: 'as sent',
  },
};

/** The formats of values in requests and responses, as a table in the API documentation. */
export const VALUES_TABLE = [
  '| Type of the field | Request | Example | Response |',
  '| --- | --- | --- | --- |',
  ...FIELD_TYPES.map((type) => {
    const { input, example, answer } = FORMATS[type];
    return `| \`${type}\` | ${input} | ${example === null ? '' : `\`${example}\``} | ${answer} |`;
  }),
].join('\n');
