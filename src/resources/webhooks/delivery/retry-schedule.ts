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

/** Seconds until the retry with this number, from 0; null when there is none. */
export function retryDelay(retries: number): number | null {
  const delay = RETRY_DELAYS[retries];
  return delay === undefined ? null : delay * (1 + JITTER * Math.random());
}
