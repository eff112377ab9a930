/** Text to append in place of `+00`, by the length of PostgreSQL's text: `2026-11-20 08:15:30.12+00` has 25. */
const REST_BY_LENGTH: Readonly<Record<number, string>> = { 22: '.000Z', 24: '00Z', 25: '0Z', 26: 'Z' };

/**
 * Converts a timestamp of PostgreSQL to the format of the API: UTC with milliseconds, `2026-11-20T08:15:30.123Z`.
 * Columns are timestamptz(3) and sessions use UTC, so PostgreSQL's text differs only in the separator, in missing
 * zeros of the fraction, and in `+00`. Rewriting the text is much cheaper than parsing it to a Date.
 */
export function timestampFromPostgres(text: string): string {
  const rest = REST_BY_LENGTH[text.length];
  if (rest === undefined || text[10] !== ' ' || !text.endsWith('+00'))
    throw new Error(`Not a timestamp of a session in UTC: ${text}`);
  return `${text.slice(0, 10)}T${text.slice(11, -3)}${rest}`;
}

const DATE_TIME = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d)(?::(\d\d)(?:[.,]\d{1,9})?)?([Zz]|[+-]\d\d:?\d\d)$/;

/**
 * Parses an ISO 8601 date-time with an offset. Null for any other text, for days that do not exist (30 February), and
 * for years outside 1 to 9999, which PostgreSQL and RFC 3339 do not both support.
 */
export function parseDateTime(text: string): Date | null {
  const match = DATE_TIME.exec(text);
  if (!match) return null;
  const [, year, month, day, hour, minute, second = '00', offset = 'Z'] = match;
  const calendar = new Date(Date.UTC(2000, Number(month) - 1, Number(day)));
  calendar.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  if (calendar.getUTCMonth() !== Number(month) - 1 || calendar.getUTCDate() !== Number(day)) return null;
  if (Number(year) < 1 || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return null;
  const zone = /^[+-](\d\d):?(\d\d)$/.exec(offset);
  if (zone && (Number(zone[1]) > 23 || Number(zone[2]) > 59)) return null;
  const isoOffset = offset.length === 5 ? `${offset.slice(0, 3)}:${offset.slice(3)}` : offset.toUpperCase();
  const fraction = /[.,](\d{1,9})/.exec(text)?.[1] ?? '0';
  const parsed = new Date(
    `${year}-${month}-${day}T${hour}:${minute}:${second}.${fraction.slice(0, 3).padEnd(3, '0')}${isoOffset}`,
  );
  // In UTC, the year can be outside 1 to 9999.
  const yearInUtc = parsed.getUTCFullYear();
  return yearInUtc >= 1 && yearInUtc <= 9999 ? parsed : null;
}

/** Whether the text is an existing date `YYYY-MM-DD`, from year 1 to 9999. */
export function isCalendarDate(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && parseDateTime(`${text}T00:00:00Z`) !== null;
}
