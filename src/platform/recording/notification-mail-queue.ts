import { type SentMailMode } from '../../common/vocabulary/mail-modes.js';
import { type Configuration } from '../config/configuration.js';
import { type Statement } from '../database/transactions/tenant-batch.js';
import {
  type NotificationRecord,
  type WriteTransaction,
} from '../database/transactions/tenant-transaction.js';
import { type Mailer } from '../mail/mailer.js';
import { type LastMails, mailTime } from './mail-schedule.js';

interface RecipientRow extends LastMails {
  readonly userId: string;
  readonly mail: Readonly<Record<string, SentMailMode>>;
}

/** Queues the mail about new notifications in the transaction that creates them (docs/adr/0042). */
export class NotificationMailQueue {
  constructor(
    private readonly mailer: Mailer,
    private readonly configuration: Pick<Configuration, 'timeZone'>,
  ) {}

  /**
   * Adds the jobs to the transaction. Returns the statements to run after the notifications were inserted. Without a
   * mail server, nothing is queued: otherwise, old mail would be sent when one is configured.
   */
  async add(tx: WriteTransaction): Promise<Statement[]> {
    if (tx.notifications.length === 0 || !this.mailer.isConfigured) return [];
    const recipients = await recipientsOf(tx);
    const mails: (NotificationRecord & { readonly mode: SentMailMode })[] = [];
    for (const notification of tx.notifications) {
      const recipient = recipients.get(notification.userId);
      const mode = recipient?.mail[notification.type];
      if (!recipient || !mode) continue;
      mails.push({ ...notification, mode });
      const runAt = mailTime(mode, recipient, this.configuration.timeZone);
      tx.enqueue('SendNotificationMail', { userId: recipient.userId, mode }, runAt);
    }
    if (mails.length === 0) return [];
    const { newRows } = tx.layout;
    const rows = 'unnest($2::uuid[], $3::uuid[], $4::text[]) AS m (notification_id, user_id, mode)';
    return [
      {
        text: `INSERT INTO notification_mails (tenant_id, notification_id, user_id, mode)
               SELECT ${newRows.tenantId}, m.notification_id, m.user_id, m.mode FROM ${newRows.from(rows)}`,
        values: [
          tx.tenantId,
          mails.map(({ id }) => id),
          mails.map(({ userId }) => userId),
          mails.map(({ mode }) => mode),
        ],
      },
    ];
  }
}

/** Locks the rows, so that they still exist when the mails that refer to them are inserted. */
async function recipientsOf(tx: WriteTransaction): Promise<ReadonlyMap<string, RecipientRow>> {
  const userIds = [...new Set(tx.notifications.map(({ userId }) => userId))];
  const rows = await tx.query<RecipientRow>(
    `SELECT p.user_id AS "userId", p.mail, p.last_mail_at AS "lastMailAt", p.last_digest_at AS "lastDigestAt",
            now()::timestamptz(3) AS now
       FROM notification_preferences p
      WHERE p.tenant_id = $1 AND p.user_id = ANY ($2::uuid[]) AND p.mail <> '{}' FOR KEY SHARE`,
    [tx.tenantId, userIds],
  );
  return new Map(rows.map((row) => [row.userId, row]));
}
