import { Matches } from 'class-validator';
import { type Message } from '../../../common/messages/message.js';
import { textError } from '../../../common/text-error.js';
import { Field, type FieldOptions } from './field.js';
import { QueryField, type QueryOptions } from './query-field.js';
import { ReadWith, readText } from './read-members.js';
import { Rule, withMessage } from './rule.js';

/** Text of `min` to `max` code points after NFC and trimming. class-validator's lengths do not count code points. */
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

/** Names, titles and labels. */
export function NameField(options: FieldOptions = {}): PropertyDecorator {
  return TextField({ max: 200, ...options });
}

/** Text of a fixed form. */
export function PatternField(pattern: RegExp, error: Message, options: FieldOptions): PropertyDecorator {
  return Field(
    { type: String, pattern: pattern.source },
    options,
    ReadWith(readText),
    Matches(pattern, withMessage(error)),
  );
}

/** Text to search for, of any length without `max`; empty is no filter where `mayBeEmpty`. */
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
