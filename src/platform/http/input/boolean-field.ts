import { IsBoolean } from 'class-validator';
import { message } from '../../../common/messages/message.js';
import { Field, type FieldOptions } from './field.js';
import { QueryField, type QueryOptions } from './query-field.js';
import { ReadWith } from './read-with.js';
import { withMessage } from './rule.js';

const TRUE_OR_FALSE = withMessage(message('value.boolean'));

export function BooleanField(options: FieldOptions = {}): PropertyDecorator {
  return Field({ type: Boolean }, options, IsBoolean(TRUE_OR_FALSE));
}

/** Accepts only `true` or `false`. */
export function BooleanQuery(options: QueryOptions = {}): PropertyDecorator {
  return QueryField(
    { type: Boolean },
    options,
    ReadWith((value) => (value === 'true' ? true : value === 'false' ? false : value)),
    IsBoolean(TRUE_OR_FALSE),
  );
}
