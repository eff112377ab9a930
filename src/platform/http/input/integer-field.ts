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

export function isIntegerText(text: string): boolean {
  return /^\d{1,16}$/.test(text) && Number(text) <= MAX;
}
