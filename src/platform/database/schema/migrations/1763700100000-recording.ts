import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { tenantTable } from '../tenant-table.js';

/** Audit entries, notifications, and stored answers for repeated requests. */
export class Recording1763700100000 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE audit_entries (
        tenant_id uuid NOT NULL CONSTRAINT fk_audit_entries_tenant REFERENCES tenants (id),
        id uuid NOT NULL,
        occurred_at timestamptz(3) NOT NULL DEFAULT now(),
        actor_id uuid,
        actor_name text,
        action text NOT NULL,
        subject_type text NOT NULL,
        subject_id uuid NOT NULL,
        summary text,
        CONSTRAINT pk_audit_entries PRIMARY KEY (tenant_id, id)
      )`);
    for (const column of ['', 'action, ', 'actor_id, ', 'subject_id, ']) {
      const name = `ix_audit_entries_${column ? column.replace(', ', '') : 'occurred'}`;
      await db.query(`CREATE INDEX ${name} ON audit_entries (tenant_id, ${column}occurred_at, id)`);
    }
    await db.query(`
      CREATE TABLE notifications (
        tenant_id uuid NOT NULL CONSTRAINT fk_notifications_tenant REFERENCES tenants (id),
        id uuid NOT NULL,
        user_id uuid NOT NULL CONSTRAINT fk_notifications_user REFERENCES users (id),
        type text NOT NULL,
        parameters jsonb NOT NULL,
        document_id uuid,
        file_id uuid,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        read_at timestamptz(3),
        CONSTRAINT pk_notifications PRIMARY KEY (tenant_id, id)
      )`);
    await db.query(
      'CREATE INDEX ix_notifications_user ON notifications (tenant_id, user_id, created_at, id)',
    );
    await db.query(
      'CREATE INDEX ix_notifications_unread ON notifications (tenant_id, user_id, created_at, id) WHERE read_at IS NULL',
    );
    await db.query(`
      CREATE TABLE idempotency_keys (
        tenant_id uuid NOT NULL CONSTRAINT fk_idempotency_keys_tenant REFERENCES tenants (id),
        user_id uuid NOT NULL,
        operation text NOT NULL,
        key text NOT NULL,
        fingerprint text NOT NULL,
        body text,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT pk_idempotency_keys PRIMARY KEY (tenant_id, user_id, operation, key)
      )`);
    await db.query('CREATE INDEX ix_idempotency_keys_created ON idempotency_keys (tenant_id, created_at)');

    // The service role can read and add audit entries, but not change or delete them.
    await tenantTable(db, 'audit_entries', 'SELECT, INSERT');
    await tenantTable(db, 'notifications', 'SELECT, INSERT, UPDATE, DELETE');
    await tenantTable(db, 'idempotency_keys', 'SELECT, INSERT, UPDATE, DELETE');
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP TABLE idempotency_keys, notifications, audit_entries');
  }
}
