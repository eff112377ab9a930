import { type ApiPropertyOptions } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { message } from '../../../common/messages/message.js';
import { Field, type FieldOptions } from './field.js';
import { itemErrors } from './list-field.js';
import { QueryField, type QueryOptions } from './query-field.js';
import { ReadWith, readList } from './read-with.js';
import { Rule, withMessage } from './rule.js';

export function EnumField(values: readonly string[], options: FieldOptions = {}): PropertyDecorator {
  return Field({ type: String, enum: [...values] }, options, IsOneOf(values));
}

export function EnumQuery(values: readonly string[], options: QueryOptions = {}): PropertyDecorator {
  return QueryField({ type: String, enum: [...values] }, options, IsOneOf(values));
}

/** Values separated by commas, without duplicates. */
export function EnumListQuery(values: readonly string[], options: QueryOptions = {}): PropertyDecorator {
  const known = new Set<unknown>(values);
  const error = message('value.one-of-list', { values: values.join(', ') });
  const errorOf = (item: unknown) => (known.has(item) ? null : error);
  const array = {
    type: 'array',
    items: { type: 'string', enum: [...values] },
    minItems: 1,
    uniqueItems: true,
  };
  return QueryField(
    { ...array, style: 'form', explode: false } as ApiPropertyOptions,
    options,
    ReadWith(readList),
    Rule('enumList', (value) => itemErrors(value as string[], errorOf) && error),
  );
}

export function IsOneOf(values: readonly string[]): PropertyDecorator {
  return IsIn(values, withMessage(message('value.one-of', { values: values.join(', ') })));
}
