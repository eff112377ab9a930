import { Inject, Injectable } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../../platform/config/configuration.js';
import { type WriteTransaction } from '../../platform/database/transactions/tenant-transaction.js';
import { type Job, mayPrecedeCommit } from '../../platform/jobs/job.js';
import { type Mail } from '../../platform/mail/mailer.js';
import {
  endOfInterval,
  isDigestDone,
  lastDigestTime,
  nextDigestTime,
} from '../../platform/recording/mail-schedule.js';
import { AccessDirectory } from '../../platform/tenancy/access/access.directory.js';
import { NotificationsReader } from '../notifications/notifications.reader.js';
import { MAX_SHOWN, notificationMail } from './notification-mail.js';
import {
  type LastMails,
  type MailState,
  NotificationMailsRepository,
  type PendingMail,
} from './notification-mails.repository.js';
import { UnsubscribeTokens } from './unsubscribe-token.js';

/** Notifications for one mail, the oldest first. Later ones are in the next mail. */
const MAX_NOTIFICATIONS = 5_000;

/** A mail that is to be sent after the transaction. */
export interface ClaimedMail {
  readonly mail: Mail;
  readonly notifications: readonly PendingMail[];
  /** The database's time. */
  readonly claimedAt: string;
  /** The state before, for a mail that cannot be sent now. */
  readonly before: LastMails;
  /** When the next mail is due; null if nothing else is pending. */
  readonly next: Date | null;
}

type MailJob = Pick<Job<'SendNotificationMail'>, 'payload' | 'attempt'>;

/** Selects the notifications for a mail to a member, and claims them: no other job sends them. */
@Injectable()
export class NotificationMailSelection {
  constructor(
    private readonly mails: NotificationMailsRepository,
    private readonly notifications: NotificationsReader,
    private readonly directory: AccessDirectory,
    private readonly tokens: UnsubscribeTokens,
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
  ) {}

  /** Null if no mail is to be sent now. If one is due later, its job is in the queue then. */
  async claim(tx: WriteTransaction, job: MailJob): Promise<ClaimedMail | null> {
    const { payload } = job;
    const { userId, mode } = payload;
    // A former member has no preferences.
    const state = await this.mails.lockOrNull(tx, userId);
    if (!state) return null;
    const pending = await this.mails.pending(tx, userId, mode, MAX_NOTIFICATIONS + 1);
    if (pending.length === 0) {
      if (mayPrecedeCommit(tx.layout, job))
        throw new Error('No notification is pending, or it is not committed yet');
      return null;
    }
    const { due, next } = this.due(mode, state, pending);
    const wait = due.length > 0 ? endOfInterval(state) : null;
    if (wait) {
      tx.enqueue('SendNotificationMail', payload, wait);
      return null;
    }
    const mail = due.length > 0 ? await this.mailFor(tx, payload, state, due) : null;
    const lastDigestAt = mode === 'daily' ? state.now : state.lastDigestAt;
    if (mail) {
      await this.mails.claim(tx, idsOf(due));
      await this.mails.setLastMails(tx, userId, { lastMailAt: state.now, lastDigestAt });
      return { mail, notifications: due, claimedAt: state.now, before: state, next };
    }
    await this.mails.delete(tx, idsOf(due));
    await this.mails.setLastMails(tx, userId, { lastMailAt: state.lastMailAt, lastDigestAt });
    if (next) tx.enqueue('SendNotificationMail', payload, next);
    return null;
  }

  /** The pending notifications that are due, and when the others will be. */
  private due(
    mode: MailJob['payload']['mode'],
    state: MailState,
    pending: readonly PendingMail[],
  ): { due: readonly PendingMail[]; next: Date | null } {
    const { timeZone } = this.configuration;
    let inTime = pending;
    if (mode === 'daily') {
      const digestTime = isDigestDone(state, timeZone) ? 0 : lastDigestTime(state, timeZone).getTime();
      inTime = pending.filter(({ createdAt }) => Date.parse(createdAt) < digestTime);
    }
    const due = inTime.slice(0, MAX_NOTIFICATIONS);
    if (due.length === pending.length) return { due, next: null };
    const next =
      mode === 'immediate'
        ? endOfInterval({ ...state, lastMailAt: state.now })
        : nextDigestTime(state, timeZone);
    return { due, next };
  }

  /** Null if the member has no verified address, or may not see any of the notifications, or has turned their mail off. */
  private async mailFor(
    tx: WriteTransaction,
    { userId, mode }: MailJob['payload'],
    { language, mail, now }: MailState,
    due: readonly PendingMail[],
  ): Promise<Mail | null> {
    const [recipient, member] = [
      await this.mails.recipient(tx, userId),
      await this.directory.findMember(tx, userId),
    ];
    if (!recipient?.address || !member) return null;
    const { rows, total } = await this.notifications.findVisible(tx, member, {
      ids: idsOf(due),
      types: Object.keys(mail),
      limit: MAX_SHOWN,
    });
    if (rows.length === 0) return null;
    const { publicUrl, timeZone } = this.configuration;
    const token = this.tokens.write({ tenantId: tx.tenantId, userId, issuedAt: now });
    const unsubscribeUrl = `${publicUrl}/unsubscribe/${token}`;
    const { tenantName, address } = recipient;
    return {
      to: address,
      ...notificationMail({
        language,
        mode,
        tenantName,
        notifications: rows,
        total,
        timeZone,
        unsubscribeUrl,
      }),
      // RFC 8058, 3.1: one-click unsubscription needs an https URL.
      ...(publicUrl.startsWith('https:') && { unsubscribeUrl }),
    };
  }
}

export function idsOf(mails: readonly PendingMail[]): string[] {
  return mails.map(({ notificationId }) => notificationId);
}
