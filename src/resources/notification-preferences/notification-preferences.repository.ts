import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { LANGUAGES } from '../../common/messages/languages.js';
import { TenantTable } from '../../platform/database/transactions/tenant-table.js';
import { type TenantTransaction } from '../../platform/database/transactions/tenant-transaction.js';
import { NotificationPreferencesEntity } from '../../platform/recording/notification-preferences.entity.js';

export type NotificationPreferences = Pick<NotificationPreferencesEntity, 'language' | 'mail'>;

/** Preferences of a member who has never changed them. */
export const DEFAULT_PREFERENCES: NotificationPreferences = { language: LANGUAGES[0], mail: {} };

const OF_MEMBER = 'userId = :userId';

@Injectable()
export class NotificationPreferencesRepository extends TenantTable<
  NotificationPreferencesEntity,
  NotificationPreferences
> {
  constructor(dataSource: DataSource) {
    super(dataSource, NotificationPreferencesEntity, { properties: ['language', 'mail'] });
  }

  async find(tx: TenantTransaction, userId: string): Promise<NotificationPreferences | null> {
    const [row] = await this.run(tx, 'find', { userId }, () => this.rows().andWhere(`t.${OF_MEMBER}`));
    return row ?? null;
  }

  /** Also allows new rows that refer to the preferences, unlike FOR UPDATE. */
  async lockOrNull(tx: TenantTransaction, userId: string): Promise<NotificationPreferences | null> {
    const [row] = await this.run(tx, 'lock', { userId }, () =>
      this.rows().andWhere(`t.${OF_MEMBER}`).setLock('for_no_key_update'),
    );
    return row ?? null;
  }

  /** Inserts the defaults. Waits for a concurrent request that does the same. */
  async ensure(tx: TenantTransaction, userId: string): Promise<void> {
    const { text, values } = this.insertStatement(tx, { userId, ...DEFAULT_PREFERENCES }, { ifAbsent: true });
    await tx.query(text, values);
  }

  async update(tx: TenantTransaction, userId: string, preferences: NotificationPreferences): Promise<void> {
    const { text, values } = this.updateStatement(tx, preferences, OF_MEMBER, { userId });
    await tx.query(text, values);
  }

  /**
   * The name of the tenant, if a membership with preferences from before `issuedAt` exists.
   *
   * @param issuedAt ISO 8601
   */
  async tenantName(tx: TenantTransaction, userId: string, issuedAt: string): Promise<string | null> {
    const [row] = await tx.query<{ name: string }>(
      `SELECT t.name FROM notification_preferences p JOIN tenants t ON t.id = p.tenant_id
        WHERE p.tenant_id = $1 AND p.user_id = $2 AND p.created_at <= $3::timestamptz`,
      [tx.tenantId, userId, issuedAt],
    );
    return row?.name ?? null;
  }

  /** Turns all mail off. */
  async turnOff(tx: TenantTransaction, userId: string): Promise<void> {
    const { text, values } = this.updateStatement(tx, { mail: {} }, `${OF_MEMBER} AND mail <> '{}'`, {
      userId,
    });
    await tx.query(text, values);
  }
}
