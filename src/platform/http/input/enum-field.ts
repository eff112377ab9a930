import { IsIn } from 'class-validator';
import { message } from '../../../common/messages/message.js';
import { Field, type FieldOptions } from './field.js';
import { QueryField, type QueryOptions } from './query-field.js';
import { withMessage } from './rule.js';

export function EnumField(values: readonly string[], options: FieldOptions = {}): PropertyDecorator {
  return Field({ type: String, enum: [...values] }, options, IsOneOf(values));
}

export function EnumQuery(values: readonly string[], options: QueryOptions = {}): PropertyDecorator {
  return QueryField({ type: String, enum: [...values] }, options, IsOneOf(values));
}

export function IsOneOf(values: readonly string[]): PropertyDecorator {
  return IsIn(values, withMessage(message('value.one-of', { values: values.join(', ') })));
}
