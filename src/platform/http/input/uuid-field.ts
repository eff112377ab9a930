import { applyDecorators } from '@nestjs/common';
import { type ApiPropertyOptions } from '@nestjs/swagger';
import { IsUUID } from 'class-validator';
import { message } from '../../../common/messages/message.js';
import { isUuid } from '../../../common/text.js';
import { Field, type FieldOptions } from './field.js';
import { ListField, type ListOptions, itemErrors } from './list-field.js';
import { QueryField, type QueryOptions } from './query-field.js';
import { ReadWith, readItems, readList, readUuid } from './read-with.js';
import { Rule, withMessage } from './rule.js';

const UUID = { type: 'string', format: 'uuid' } as const;

/** `loose` accepts any version and variant. */
const IsAnyUuid = () => IsUUID('loose', withMessage(message('value.uuid')));

const uuidError = (value: unknown) => (isUuid(value) ? null : message('value.uuid'));

export function UuidField(options: FieldOptions = {}): PropertyDecorator {
  return Field(UUID, options, ReadWith(readUuid), IsAnyUuid());
}

export function UuidQuery(options: QueryOptions = {}): PropertyDecorator {
  return QueryField(UUID, options, ReadWith(readUuid), IsAnyUuid());
}

export function UuidListField(options: ListOptions): PropertyDecorator {
  return applyDecorators(
    ReadWith((value) => readItems(value, options.max, readUuid)),
    ListField(UUID, uuidError, options),
  );
}

/** UUIDs separated by commas, without duplicates. */
export function UuidListQuery({ max, ...options }: QueryOptions & { max: number }): PropertyDecorator {
  const array = { type: 'array', items: UUID, minItems: 1, maxItems: max, uniqueItems: true } as const;
  return QueryField(
    { ...array, style: 'form', explode: false } as ApiPropertyOptions,
    options,
    ReadWith((value) => readList(typeof value === 'string' ? value.toLowerCase() : value)),
    Rule('uuids', (value) => {
      const ids = value as string[];
      if (ids.length > max) return message('value.max-items', { max });
      return itemErrors(ids, uuidError) && message('value.uuid-list');
    }),
  );
}
