import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Finds the active grants of all subjects on a file or a file type. */
export class GrantsOfATarget1795653600000 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE INDEX ix_access_grants_target ON access_grants (tenant_id, target_id, subject_id)
        WHERE revoked_at IS NULL AND expired_at IS NULL`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP INDEX ix_access_grants_target');
  }
}
