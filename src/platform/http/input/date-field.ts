import { message } from '../../../common/messages/message.js';
import { isCalendarDate } from '../../../common/timestamps.js';
import { Field, type FieldOptions } from './field.js';
import { Rule } from './rule.js';

/** A day, `YYYY-MM-DD`. */
export function DateField(options: FieldOptions = {}): PropertyDecorator {
  return Field(
    { type: String, format: 'date' },
    options,
    Rule('date', (value) =>
      typeof value === 'string' && isCalendarDate(value) ? null : message('value.date'),
    ),
  );
}
