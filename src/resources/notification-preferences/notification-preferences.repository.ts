import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { LANGUAGES } from '../../common/messages/languages.js';
import { TenantTable } from '../../platform/database/transactions/tenant-table.js';
import { type TenantTransaction } from '../../platform/database/transactions/tenant-transaction.js';
import { NotificationPreferencesEntity } from '../../platform/recording/notification-preferences.entity.js';

export type NotificationPreferences = Pick<NotificationPreferencesEntity, 'language' | 'mail'>;

/** Preferences of a member who has never changed them. */
export const DEFAULT_PREFERENCES: NotificationPreferences = { language: LANGUAGES[0], mail: {} };

@Injectable()
export class NotificationPreferencesRepository extends TenantTable<
  NotificationPreferencesEntity,
  NotificationPreferences
> {
  constructor(dataSource: DataSource) {
    super(dataSource, NotificationPreferencesEntity, { properties: ['language', 'mail'] });
  }

  async find(tx: TenantTransaction, userId: string): Promise<NotificationPreferences | null> {
    const [row] = await this.send(tx, this.selectStatement(tx, { userId }));
    return row ?? null;
  }

  /** Also allows new rows that refer to the preferences, unlike FOR UPDATE. */
  async lockOrNull(tx: TenantTransaction, userId: string): Promise<NotificationPreferences | null> {
    const lock = 'for_no_key_update';
    const [row] = await this.send(tx, this.selectStatement(tx, { userId }, { lock }));
    return row ?? null;
  }

  /** Inserts the defaults. Waits for a concurrent request that does the same. */
  async ensure(tx: TenantTransaction, userId: string): Promise<void> {
    await this.send(tx, this.insertStatement(tx, { userId, ...DEFAULT_PREFERENCES }, { ifAbsent: true }));
  }

  async update(tx: TenantTransaction, userId: string, preferences: NotificationPreferences): Promise<void> {
    await this.send(tx, this.updateStatement(tx, preferences, { userId }));
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
    await this.send(tx, this.updateStatement(tx, { mail: {} }, { userId }, { and: `mail <> '{}'` }));
  }
}
