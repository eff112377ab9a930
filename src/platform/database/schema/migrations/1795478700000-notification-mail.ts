import { randomBytes } from 'node:crypto';
import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { tenantTable } from '../tenant-table.js';

/** Preferences of members for mail about notifications, and the notifications for which mail is to be sent. */
export class NotificationMail1795478700000 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`INSERT INTO service_secrets (name, value) VALUES ('unsubscribe', $1)`, [randomBytes(32)]);
    await db.query(`
      CREATE TABLE notification_preferences (
        tenant_id uuid NOT NULL CONSTRAINT fk_notification_preferences_tenant REFERENCES tenants (id),
        user_id uuid NOT NULL,
        language text NOT NULL CONSTRAINT ck_notification_preferences_language CHECK (language IN ('en', 'de')),
        mail jsonb NOT NULL,
        last_mail_at timestamptz(3),
        last_digest_at timestamptz(3),
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT pk_notification_preferences PRIMARY KEY (tenant_id, user_id)
      )`);
    await tenantTable(db, 'notification_preferences', 'SELECT, INSERT, UPDATE, DELETE');
    // A member who is removed loses the preferences, and with them the pending mail.
    await db.query(`
      ALTER TABLE notification_preferences ADD CONSTRAINT fk_notification_preferences_member
        FOREIGN KEY (tenant_id, user_id) REFERENCES members (tenant_id, user_id) ON DELETE CASCADE`);

    await db.query(`
      CREATE TABLE notification_mails (
        tenant_id uuid NOT NULL CONSTRAINT fk_notification_mails_tenant REFERENCES tenants (id),
        notification_id uuid NOT NULL,
        user_id uuid NOT NULL,
        mode text NOT NULL CONSTRAINT ck_notification_mails_mode CHECK (mode IN ('immediate', 'daily')),
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        claimed_at timestamptz(3),
        CONSTRAINT pk_notification_mails PRIMARY KEY (tenant_id, notification_id)
      )`);
    await db.query(`
      CREATE INDEX ix_notification_mails_pending
        ON notification_mails (tenant_id, user_id, mode, created_at, notification_id) WHERE claimed_at IS NULL`);
    // For the foreign key: the rows of a member who is removed.
    await db.query('CREATE INDEX ix_notification_mails_user ON notification_mails (tenant_id, user_id)');
    await tenantTable(db, 'notification_mails', 'SELECT, INSERT, UPDATE, DELETE');
    await db.query(`
      ALTER TABLE notification_mails ADD CONSTRAINT fk_notification_mails_preferences
        FOREIGN KEY (tenant_id, user_id) REFERENCES notification_preferences (tenant_id, user_id) ON DELETE CASCADE`);
    await db.query(`
      ALTER TABLE notification_mails ADD CONSTRAINT fk_notification_mails_notification
        FOREIGN KEY (tenant_id, notification_id) REFERENCES notifications (tenant_id, id) ON DELETE CASCADE`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`DELETE FROM service_secrets WHERE name = 'unsubscribe'`);
    await db.query('DROP TABLE notification_mails');
    await db.query('DROP TABLE notification_preferences');
  }
}
