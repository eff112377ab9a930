import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type SentMailMode } from '../../common/vocabulary/mail-modes.js';
import { TenantTable } from '../../platform/database/transactions/tenant-table.js';
import { type TenantTransaction } from '../../platform/database/transactions/tenant-transaction.js';
import { NotificationMailEntity } from '../../platform/recording/notification-mail.entity.js';
import { type NotificationPreferencesEntity } from '../../platform/recording/notification-preferences.entity.js';

/** Preferences with the time of the transaction. */
export type MailState = Pick<
  NotificationPreferencesEntity,
  'language' | 'mail' | 'lastMailAt' | 'lastDigestAt'
> & { readonly now: string };

export type LastMails = Pick<MailState, 'lastMailAt' | 'lastDigestAt'>;

/** `createdAt`: time of the notification. */
export type PendingMail = Pick<NotificationMailEntity, 'notificationId' | 'createdAt'>;

export interface Recipient {
  /** Null without a verified address. */
  readonly address: string | null;
  readonly tenantName: string;
}

const OF_MEMBER = 'tenant_id = $1 AND user_id = $2';

/** The notifications of members for which mail is to be sent. */
@Injectable()
export class NotificationMailsRepository extends TenantTable<NotificationMailEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, NotificationMailEntity);
  }

  /** Locks the member's preferences, so that only one job at a time selects mail of the member. */
  lockOrNull(tx: TenantTransaction, userId: string): Promise<MailState | null> {
    return tx.queryOrNull<MailState>(
      `SELECT language, mail, last_mail_at AS "lastMailAt", last_digest_at AS "lastDigestAt",
              now()::timestamptz(3) AS now
         FROM notification_preferences WHERE ${OF_MEMBER} FOR NO KEY UPDATE`,
      [tx.tenantId, userId],
    );
  }

  /** Oldest first. */
  pending(tx: TenantTransaction, userId: string, mode: SentMailMode, limit: number): Promise<PendingMail[]> {
    const order = ['createdAt', 'notificationId'];
    const selection = { and: 'claimed_at IS NULL', values: { limit }, order };
    return this.send(tx, this.selectStatement(tx, { userId, mode }, selection));
  }

  recipient(tx: TenantTransaction, userId: string): Promise<Recipient | null> {
    return tx.queryOrNull<Recipient>(
      `SELECT CASE WHEN u.email_verified THEN u.email END AS address, t.name AS "tenantName"
         FROM users u CROSS JOIN tenants t WHERE t.id = $1 AND u.id = $2`,
      [tx.tenantId, userId],
    );
  }

  async claim(tx: TenantTransaction, ids: readonly string[]): Promise<void> {
    await this.send(tx, this.updateStatement(tx, { claimedAt: () => 'now()' }, { notificationId: ids }));
  }

  async release(tx: TenantTransaction, ids: readonly string[]): Promise<void> {
    await this.send(tx, this.updateStatement(tx, { claimedAt: null }, { notificationId: ids }));
  }

  async delete(tx: TenantTransaction, ids: readonly string[]): Promise<void> {
    await this.send(tx, this.deleteStatement(tx, { notificationId: ids }));
  }

  async setLastMails(
    tx: TenantTransaction,
    userId: string,
    { lastMailAt, lastDigestAt }: LastMails,
  ): Promise<void> {
    await tx.query(
      `UPDATE notification_preferences SET last_mail_at = $3, last_digest_at = $4 WHERE ${OF_MEMBER}`,
      [tx.tenantId, userId, lastMailAt, lastDigestAt],
    );
  }
}
