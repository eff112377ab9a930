import { message } from '../../../common/messages/message.js';
import { isCalendarDate, parseDateTime } from '../../../common/timestamps.js';
import { Field, type FieldOptions } from './field.js';
import { QueryField, type QueryOptions } from './query-field.js';
import { ReadWith } from './read-with.js';
import { Rule } from './rule.js';

const DATE_TIME = { type: String, format: 'date-time' };

/** Not class-validator's IsISO8601 or IsRFC3339, which accept other formats and days that do not exist. */
const IsDateTime = () => Rule('dateTime', (value) => (momentOf(value) ? null : message('value.date-time')));

function momentOf(value: unknown): Date | null {
  return typeof value === 'string' ? parseDateTime(value) : null;
}

function readDateTime(value: unknown): unknown {
  return momentOf(value)?.toISOString() ?? value;
}

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

/** ISO 8601 with an offset. The handler gets the text in canonical form: UTC with milliseconds. */
export function DateTimeField(options: FieldOptions = {}): PropertyDecorator {
  return Field(DATE_TIME, options, ReadWith(readDateTime), IsDateTime());
}

export function DateTimeQuery(options: QueryOptions = {}): PropertyDecorator {
  return QueryField(DATE_TIME, options, ReadWith(readDateTime), IsDateTime());
}

/** Rejects a date-time before that of another member. Skipped if one of them is invalid, which is its own error. */
export function NotBefore(member: string): PropertyDecorator {
  return Rule('notBefore', (value, body) => {
    const from = momentOf((body as Record<string, unknown>)[member]);
    const to = momentOf(value);
    return !from || !to || from <= to ? null : message('value.not-before', { member });
  });
}
