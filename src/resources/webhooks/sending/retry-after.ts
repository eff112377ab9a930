/** A receiver can delay a retry by at most a day, in seconds. */
const MAX_RETRY_AFTER = 24 * 60 * 60;

/**
 * Seconds of a Retry-After header (RFC 9110, 10.2.3): a number, or a date. 0 without a valid one.
 *
 * @param date the header Date of the answer: the receiver's clock may differ from that of this machine
 */
export function retryAfterSeconds(header: string | undefined, date: string | undefined): number {
  if (header === undefined) return 0;
  const text = header.trim();
  const seconds = /^\d{1,10}$/.test(text) ? Number(text) : (Date.parse(text) - timeOf(date)) / 1000;
  return Number.isFinite(seconds) ? Math.min(Math.max(seconds, 0), MAX_RETRY_AFTER) : 0;
}

function timeOf(date = ''): number {
  const time = Date.parse(date);
  return Number.isNaN(time) ? Date.now() : time;
}
