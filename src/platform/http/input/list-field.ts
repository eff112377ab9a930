import { ArrayMaxSize, ArrayNotEmpty, IsArray } from 'class-validator';
import { type Message, message } from '../../../common/messages/message.js';
import { Field, type FieldOptions } from './field.js';
import { Rule, type ValueErrors, withMessage } from './rule.js';

type ItemCheck = (item: unknown) => Message | null;

export interface ListOptions extends FieldOptions {
  readonly notEmpty?: boolean;
  readonly max: number;
}

/** A list without duplicates. */
export function ListField(
  items: object,
  check: ItemCheck,
  { notEmpty = false, max, ...options }: ListOptions,
): PropertyDecorator {
  return Field(
    {
      type: 'array',
      items,
      ...(notEmpty && { minItems: 1 }),
      maxItems: max,
      uniqueItems: true,
    },
    options,
    IsArray(withMessage(message('value.array'))),
    ...(notEmpty ? [ArrayNotEmpty(withMessage(message('value.empty')))] : []),
    ArrayMaxSize(max, withMessage(message('value.max-items', { max }))),
    Rule('items', (value) => itemErrors(value as unknown[], check)),
  );
}

/** Errors by index: invalid items and duplicates. Not class-validator's ArrayUnique, which takes quadratic time. */
export function itemErrors(items: readonly unknown[], check: ItemCheck): ValueErrors | null {
  const errors: Record<string, Message> = {};
  const seen = new Set<unknown>();
  items.forEach((item, index) => {
    const error = check(item) ?? (seen.has(item) ? message('value.duplicate') : null);
    if (error) errors[`[${index}]`] = error;
    seen.add(item);
  });
  return Object.keys(errors).length > 0 ? errors : null;
}
