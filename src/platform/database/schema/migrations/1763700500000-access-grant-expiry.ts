import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Adds `expired_at`, so that the index of active grants can exclude expired ones. */
export class AccessGrantExpiry1763700500000 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE access_grants ADD COLUMN expired_at timestamptz(3)');
    await db.query(`
      ALTER TABLE access_grants
        ADD CONSTRAINT ck_access_grants_expired_at CHECK (expired_at IS NULL OR expired_at = expires_at)`);
    await db.query('DROP INDEX ix_access_grants_live');
    await db.query(`
      CREATE INDEX ix_access_grants_live ON access_grants (tenant_id, subject_id, target_type, target_id)
        INCLUDE (level, expires_at, subject_type) WHERE revoked_at IS NULL AND expired_at IS NULL`);
    await db.query(`
      CREATE INDEX ix_access_grants_expiring ON access_grants (tenant_id, expires_at)
        WHERE revoked_at IS NULL AND expired_at IS NULL AND expires_at IS NOT NULL`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP INDEX ix_access_grants_expiring');
    await db.query('DROP INDEX ix_access_grants_live');
    await db.query('ALTER TABLE access_grants DROP COLUMN expired_at');
    await db.query(`
      CREATE INDEX ix_access_grants_live ON access_grants (tenant_id, subject_id, target_type, target_id)
        INCLUDE (level, expires_at, subject_type) WHERE revoked_at IS NULL`);
  }
}
