import { IsInt, Max, Min } from 'class-validator';
import { message } from '../../../common/messages/message.js';
import { Field, type FieldOptions } from './field.js';
import { QueryField, type QueryOptions } from './query-field.js';
import { ReadWith } from './read-with.js';
import { Rule, withMessage } from './rule.js';

const MAX = Number.MAX_SAFE_INTEGER;
const MAX_INT32 = 2_147_483_647;

/** An integer from 1 to `max` in a body. */
export function CountField(max: number, options: FieldOptions = {}): PropertyDecorator {
  const whole = withMessage(message('value.whole-number', { max }));
  return Field(
    { type: 'integer', format: max > MAX_INT32 ? 'int64' : 'int32', minimum: 1, maximum: max },
    options,
    IsInt(whole),
    Min(1, whole),
    Max(max, whole),
  );
}

/** An integer from `minimum`, by default 0, to 2^53 - 1, in decimal digits. */
export function IntegerQuery({
  minimum = 0,
  ...options
}: QueryOptions & { readonly minimum?: 0 | 1 } = {}): PropertyDecorator {
  const refusal = message(minimum === 0 ? 'value.integer' : 'value.whole-number', { max: MAX });
  return QueryField(
    { type: 'integer', format: 'int64', minimum },
    options,
    ReadWith(readInteger),
    Rule('integer', (value) => (typeof value === 'number' && value >= minimum ? null : refusal)),
  );
}

/** An integer from 1 to `max`, in decimal digits. */
export function CountQuery(max: number, options: QueryOptions = {}): PropertyDecorator {
  return QueryField(
    { type: 'integer', format: 'int32', minimum: 1, maximum: max },
    options,
    ReadWith(readInteger),
    Rule('count', (value) =>
      typeof value === 'number' && value >= 1 && value <= max ? null : message('value.whole-number', { max }),
    ),
  );
}

/** Converts decimal digits to a number, unless it is too large; keeps other values. */
export function readInteger(value: unknown): unknown {
  return typeof value === 'string' && /^\d{1,16}$/.test(value) && Number(value) <= MAX
    ? Number(value)
    : value;
}
