const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** Seconds between the scheduled attempts of a delivery. After the last one, the delivery has failed. */
export const RETRY_DELAYS: readonly number[] = [
  5,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];

/** Spreads the retries of many deliveries. */
const JITTER = 0.1;
/** A receiver can delay a retry by at most a day. */
const MAX_RETRY_AFTER = 24 * HOUR;

/** Seconds until the retry with this number, from 0; null when there is none. */
export function retryDelay(retries: number): number | null {
  const delay = RETRY_DELAYS[retries];
  return delay === undefined ? null : delay * (1 + JITTER * Math.random());
}

/** Seconds of a Retry-After header (RFC 9110, 10.2.3): a number, or a date. 0 without a valid one. */
export function retryAfterSeconds(header: string | null, now = Date.now()): number {
  if (header === null) return 0;
  const text = header.trim();
  const seconds = /^\d{1,10}$/.test(text) ? Number(text) : (Date.parse(text) - now) / 1000;
  return Number.isFinite(seconds) ? Math.min(Math.max(seconds, 0), MAX_RETRY_AFTER) : 0;
}
