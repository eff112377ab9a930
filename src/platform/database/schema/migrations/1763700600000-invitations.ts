import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { tenantTable } from '../tenant-table.js';

/**
 * Invitations. While an invitation is pending, `pending_role_id` is equal to `role_id` and has a foreign key, so that
 * the role cannot be deleted. When the invitation ends, `pending_role_id` becomes null; `role_id` stays.
 */
export class Invitations1763700600000 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE invitations (
        tenant_id uuid NOT NULL CONSTRAINT fk_invitations_tenant REFERENCES tenants (id),
        id uuid NOT NULL,
        email text NOT NULL,
        email_key text NOT NULL,
        role_id uuid NOT NULL,
        pending_role_id uuid,
        status text NOT NULL CONSTRAINT ck_invitations_status
          CHECK (status IN ('Pending', 'Accepted', 'Declined', 'Revoked', 'Expired')),
        message text,
        secret_hash bytea NOT NULL,
        invited_by uuid NOT NULL CONSTRAINT fk_invitations_invited_by REFERENCES users (id),
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        expires_at timestamptz(3) NOT NULL,
        accepted_at timestamptz(3),
        revoked_at timestamptz(3),
        CONSTRAINT pk_invitations PRIMARY KEY (tenant_id, id),
        CONSTRAINT uq_invitations_secret UNIQUE (tenant_id, secret_hash),
        CONSTRAINT fk_invitations_role FOREIGN KEY (tenant_id, pending_role_id) REFERENCES roles (tenant_id, id),
        CONSTRAINT ck_invitations_pending_role CHECK (
          CASE WHEN status = 'Pending' THEN pending_role_id IS NOT DISTINCT FROM role_id
               ELSE pending_role_id IS NULL END
        ),
        CONSTRAINT ck_invitations_accepted_at CHECK ((status = 'Accepted') = (accepted_at IS NOT NULL)),
        CONSTRAINT ck_invitations_revoked_at CHECK ((status = 'Revoked') = (revoked_at IS NOT NULL))
      )`);
    await db.query(`
      CREATE UNIQUE INDEX uq_invitations_pending_email ON invitations (tenant_id, email_key) WHERE status = 'Pending'`);
    await db.query('CREATE INDEX ix_invitations_created ON invitations (tenant_id, created_at, id)');
    await db.query(`
      CREATE INDEX ix_invitations_expiring ON invitations (tenant_id, expires_at) WHERE status = 'Pending'`);
    await db.query(`
      CREATE INDEX ix_invitations_pending_role ON invitations (tenant_id, pending_role_id)
        WHERE pending_role_id IS NOT NULL`);
    // To find users by address, because members cannot be invited.
    await db.query('CREATE INDEX ix_users_email ON users (email_key) WHERE email_key IS NOT NULL');
    await tenantTable(db, 'invitations', 'SELECT, INSERT, UPDATE');
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP TABLE invitations');
    await db.query('DROP INDEX ix_users_email');
  }
}
