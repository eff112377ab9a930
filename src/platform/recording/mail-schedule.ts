import { type SentMailMode } from '../../common/vocabulary/mail-modes.js';
import { lastDailyTime, nextDailyTime } from '../../common/zoned-time.js';

/** Shortest time between two mails to a member. */
const INTERVAL_MS = 60_000;

/** Local time of the daily digest, in hours. */
const DIGEST_HOUR = 7;

/** ISO 8601. */
export interface LastMails {
  readonly lastMailAt: string | null;
  readonly lastDigestAt: string | null;
  readonly now: string;
}

/** The end of the minute after the last mail to a member; null if it has passed. */
export function endOfInterval({ lastMailAt, now }: LastMails): Date | null {
  if (lastMailAt === null) return null;
  const end = Date.parse(lastMailAt) + INTERVAL_MS;
  return end > Date.parse(now) ? new Date(end) : null;
}

/** The last time for a digest. Notifications before it are due. */
export function lastDigestTime({ now }: LastMails, timeZone: string): Date {
  return lastDailyTime(new Date(now), DIGEST_HOUR, timeZone);
}

export function nextDigestTime({ now }: LastMails, timeZone: string): Date {
  return nextDailyTime(new Date(now), DIGEST_HOUR, timeZone);
}

/** Whether the digest of the last time for digests was sent, or had nothing to send. */
export function isDigestDone(mails: LastMails, timeZone: string): boolean {
  const { lastDigestAt } = mails;
  return lastDigestAt !== null && Date.parse(lastDigestAt) >= lastDigestTime(mails, timeZone).getTime();
}

/** When the job for a new notification is to run; null for at once. */
export function mailTime(mode: SentMailMode, mails: LastMails, timeZone: string): Date | null {
  if (mode === 'immediate') return endOfInterval(mails);
  return isDigestDone(mails, timeZone) ? nextDigestTime(mails, timeZone) : null;
}
