import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Finds an invitation by the secret of its mail, as `uq_invitations_secret` does by the other one. */
export class InvitationSecrets1795880000000 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE INDEX ix_invitations_mail_secret ON invitations (tenant_id, mail_secret_hash)
        WHERE mail_secret_hash IS NOT NULL`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP INDEX ix_invitations_mail_secret');
  }
}
