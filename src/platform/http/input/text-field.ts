import { Matches } from 'class-validator';
import { type Message } from '../../../common/messages/message.js';
import { nameError, textError } from '../../../common/text-error.js';
import { Field, type FieldOptions } from './field.js';
import { QueryField, type QueryOptions } from './query-field.js';
import { ReadWith, readName, readText } from './read-with.js';
import { Rule, withMessage } from './rule.js';

/** Text of `min` to `max` code points after NFC and trimming. class-validator's length rules count UTF-16 units. */
export function TextField({
  min = 1,
  max,
  lines = false,
  ...options
}: FieldOptions & { min?: number; max: number; lines?: boolean }): PropertyDecorator {
  return Field(
    { type: String, ...(min > 0 && { minLength: min }), maxLength: max },
    options,
    ReadWith(readText),
    Rule('text', (value) => textError(value, min, max, lines)),
  );
}

/** Name of 1 to `max` code points in its normal form, with a visible character. */
export function NameField({
  max = 200,
  ...options
}: FieldOptions & { max?: number } = {}): PropertyDecorator {
  return Field(
    { type: String, minLength: 1, maxLength: max },
    options,
    ReadWith(readName),
    Rule('text', (value) => nameError(value, max)),
  );
}

export function PatternField(pattern: RegExp, error: Message, options: FieldOptions): PropertyDecorator {
  return Field(
    { type: String, pattern: pattern.source },
    options,
    ReadWith(readText),
    Matches(pattern, withMessage(error)),
  );
}

/** Search text. Without `max`, the length is unlimited. With `mayBeEmpty`, an empty text does not filter. */
export function TextQuery({
  max = Infinity,
  mayBeEmpty = false,
  ...options
}: QueryOptions & { max?: number }): PropertyDecorator {
  return QueryField(
    { type: String, ...(!mayBeEmpty && { minLength: 1 }), ...(max < Infinity && { maxLength: max }) },
    { ...options, mayBeEmpty },
    ReadWith(readText),
    Rule('text', (value) => textError(value, 0, max)),
  );
}
