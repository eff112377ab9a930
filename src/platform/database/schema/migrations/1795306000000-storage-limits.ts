import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Storage limit of a tenant, in bytes of content, if it differs from the configured one. */
export class StorageLimits1795306000000 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(
      `ALTER TABLE tenants
         ADD COLUMN storage_limit bigint CONSTRAINT ck_tenants_storage_limit CHECK (storage_limit > 0)`,
    );
    // For an index-only scan that sums the content of a tenant.
    await db.query('CREATE INDEX ix_contents_size ON contents (tenant_id) INCLUDE (size)');
    // Only the owner of the database can set limits.
    await db.query('REVOKE UPDATE ON tenants FROM filing_service_role');
    await db.query('GRANT UPDATE (access_version) ON tenants TO filing_service_role');
  }

  async down(db: QueryRunner): Promise<void> {
    // Revoked first, because a grant on the table does not remove the grants on its columns.
    await db.query('REVOKE UPDATE ON tenants FROM filing_service_role');
    await db.query('GRANT UPDATE ON tenants TO filing_service_role');
    await db.query('DROP INDEX ix_contents_size');
    await db.query('ALTER TABLE tenants DROP COLUMN storage_limit');
  }
}
