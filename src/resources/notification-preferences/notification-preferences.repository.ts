import { Injectable } from '@nestjs/common';
import { LANGUAGES } from '../../common/messages/languages.js';
import { type TenantTransaction } from '../../platform/database/transactions/tenant-transaction.js';
import { type NotificationPreferencesEntity } from '../../platform/recording/notification-preferences.entity.js';

export type NotificationPreferences = Pick<NotificationPreferencesEntity, 'language' | 'mail'>;

/** Preferences of a member who has never changed them. */
export const DEFAULT_PREFERENCES: NotificationPreferences = { language: LANGUAGES[0], mail: {} };

const COLUMNS = 'p.language, p.mail';
const OF_MEMBER = 'p.tenant_id = $1 AND p.user_id = $2';

@Injectable()
export class NotificationPreferencesRepository {
  async find(tx: TenantTransaction, userId: string): Promise<NotificationPreferences | null> {
    const [row] = await tx.query<NotificationPreferences>(
      `SELECT ${COLUMNS} FROM notification_preferences p WHERE ${OF_MEMBER}`,
      [tx.tenantId, userId],
    );
    return row ?? null;
  }

  /** Also allows new rows that refer to the preferences, unlike FOR UPDATE. */
  async lock(tx: TenantTransaction, userId: string): Promise<NotificationPreferences | null> {
    const [row] = await tx.query<NotificationPreferences>(
      `SELECT ${COLUMNS} FROM notification_preferences p WHERE ${OF_MEMBER} FOR NO KEY UPDATE`,
      [tx.tenantId, userId],
    );
    return row ?? null;
  }

  /** Inserts the defaults. Waits for a concurrent request that does the same. */
  async ensure(tx: TenantTransaction, userId: string): Promise<void> {
    const { language, mail } = DEFAULT_PREFERENCES;
    await tx.query(
      `INSERT INTO notification_preferences (tenant_id, user_id, language, mail) VALUES ($1, $2, $3, $4)
       ON CONFLICT (tenant_id, user_id) DO NOTHING`,
      [tx.tenantId, userId, language, JSON.stringify(mail)],
    );
  }

  async update(
    tx: TenantTransaction,
    userId: string,
    { language, mail }: NotificationPreferences,
  ): Promise<void> {
    await tx.query(
      `UPDATE notification_preferences p SET language = $3, mail = $4, updated_at = now() WHERE ${OF_MEMBER}`,
      [tx.tenantId, userId, language, JSON.stringify(mail)],
    );
  }

  /**
   * The name of the tenant, if a membership with preferences from before `issuedAt` exists.
   *
   * @param issuedAt ISO 8601
   */
  async tenantName(tx: TenantTransaction, userId: string, issuedAt: string): Promise<string | null> {
    const [row] = await tx.query<{ name: string }>(
      `SELECT t.name FROM notification_preferences p JOIN tenants t ON t.id = p.tenant_id
        WHERE ${OF_MEMBER} AND p.created_at <= $3::timestamptz`,
      [tx.tenantId, userId, issuedAt],
    );
    return row?.name ?? null;
  }

  /** Turns all mail off. */
  async turnOff(tx: TenantTransaction, userId: string): Promise<void> {
    await tx.query(
      `UPDATE notification_preferences p SET mail = '{}', updated_at = now()
        WHERE ${OF_MEMBER} AND p.mail <> '{}'`,
      [tx.tenantId, userId],
    );
  }
}
