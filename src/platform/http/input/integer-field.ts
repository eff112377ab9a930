import { message } from '../../../common/messages/message.js';
import { QueryField, type QueryOptions } from './query-field.js';
import { Rule } from './rule.js';

const MAX = Number.MAX_SAFE_INTEGER;

/** An integer from 0, in decimal digits. The handler gets the text. */
export function IntegerQuery(options: QueryOptions = {}): PropertyDecorator {
  return QueryField(
    { type: 'integer', format: 'int64', minimum: 0 },
    options,
    Rule('integer', (value) =>
      isIntegerText(value as string) ? null : message('value.integer', { max: MAX }),
    ),
  );
}

/** An integer from 1 to `max`, in decimal digits. The handler gets the text. */
export function CountQuery(
  max: number,
  { default: preset, ...options }: QueryOptions & { readonly default?: number } = {},
): PropertyDecorator {
  return QueryField(
    {
      type: 'integer',
      format: 'int32',
      minimum: 1,
      maximum: max,
      ...(preset === undefined ? {} : { default: preset }),
    },
    options,
    Rule('count', (value) => (isCount(value as string, max) ? null : message('value.whole-number', { max }))),
  );
}

function isCount(text: string, max: number): boolean {
  return /^\d{1,9}$/.test(text) && Number(text) >= 1 && Number(text) <= max;
}

export function isIntegerText(text: string): boolean {
  return /^\d{1,16}$/.test(text) && Number(text) <= MAX;
}
