/**
 * SQL of the last day on which a closed file must be kept, by the rule of today; null while it is open, or without a
 * period. The file is due from the day after. Days are those of the time zone (docs/adr/0051).
 *
 * @param file row of `files`
 * @param rule row of `file_type_retentions` of its type; may be null
 * @param timeZone placeholder of the time zone
 */
export function dueOn(file: string, rule: string, timeZone: string): string {
  const closedOn = `(${file}.closed_at AT TIME ZONE ${timeZone})::date`;
  const start = `CASE ${rule}.starts_at WHEN 'Closing' THEN ${closedOn}
    ELSE make_date(date_part('year', ${closedOn})::int, 12, 31) END`;
  return `CASE WHEN ${rule}.period IS NOT NULL AND ${file}.closed_at IS NOT NULL
    THEN greatest((${start} + ${rule}.period::interval)::date, ${file}.keep_until) END`;
}

/** SQL of the current day in the time zone, by the clock of the database. */
export function today(timeZone: string): string {
  return `(now() AT TIME ZONE ${timeZone})::date`;
}
