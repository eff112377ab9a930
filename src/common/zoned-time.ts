const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string): Intl.DateTimeFormat {
  let format = formats.get(timeZone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      calendar: 'gregory',
      numberingSystem: 'latn',
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    formats.set(timeZone, format);
  }
  return format;
}

/** The date and time of day that clocks in the time zone show, as milliseconds of the same date and time in UTC. */
function localTime(instant: number, timeZone: string): number {
  const parts = Object.fromEntries(
    formatOf(timeZone)
      .formatToParts(instant)
      .map(({ type, value }) => [type, Number(value)]),
  ) as Record<'year' | 'month' | 'day' | 'hour' | 'minute' | 'second', number>;
  return Date.UTC(parts.year, parts.month - 1, parts.day, parts.hour, parts.minute, parts.second);
}

/**
 * The instant of a full hour on the local date of `instant`, moved by `days`. The second step corrects the offset if the
 * clocks change between the two instants.
 */
function hourOfDay(instant: number, days: number, hour: number, timeZone: string): number {
  const date = new Date(localTime(instant, timeZone));
  const wanted = Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate() + days, hour);
  let found = wanted;
  for (let step = 0; step < 2; step += 1) found += wanted - localTime(found, timeZone);
  return found;
}

/** The last time, up to `now`, at which clocks in the time zone have shown the full hour. */
export function lastDailyTime(now: Date, hour: number, timeZone: string): Date {
  const today = hourOfDay(now.getTime(), 0, hour, timeZone);
  return new Date(today <= now.getTime() ? today : hourOfDay(now.getTime(), -1, hour, timeZone));
}

/** The next time after `now` at which clocks in the time zone show the full hour. */
export function nextDailyTime(now: Date, hour: number, timeZone: string): Date {
  const today = hourOfDay(now.getTime(), 0, hour, timeZone);
  return new Date(today > now.getTime() ? today : hourOfDay(now.getTime(), 1, hour, timeZone));
}
