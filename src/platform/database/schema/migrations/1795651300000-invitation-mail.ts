import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Mail about invitations: counted for the limits per day, and with a secret of its own. */
export class InvitationMail1795651300000 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      ALTER TABLE invitations
        ADD COLUMN has_mail boolean NOT NULL DEFAULT false,
        ADD COLUMN mail_secret_hash bytea,
        ADD CONSTRAINT ck_invitations_mail_secret CHECK (has_mail OR mail_secret_hash IS NULL)`);
    // To count the mails of the last 24 hours.
    await db.query('CREATE INDEX ix_invitations_mail ON invitations (tenant_id, created_at) WHERE has_mail');
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE invitations DROP COLUMN mail_secret_hash, DROP COLUMN has_mail');
  }
}
