import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Bytes of content that a tenant may keep, where that is not what the configuration says. */
export class StorageLimits1795306000000 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(
      `ALTER TABLE tenants
         ADD COLUMN storage_limit bigint CONSTRAINT ck_tenants_storage_limit CHECK (storage_limit > 0)`,
    );
    // What a tenant keeps is summed from the index alone.
    await db.query('CREATE INDEX ix_contents_size ON contents (tenant_id) INCLUDE (size)');
    // Limits are set by the owner.
    await db.query('REVOKE UPDATE ON tenants FROM filing_service_role');
    await db.query('GRANT UPDATE (access_version) ON tenants TO filing_service_role');
  }

  async down(db: QueryRunner): Promise<void> {
    // Revoked first, because the grant of a table leaves those of its columns.
    await db.query('REVOKE UPDATE ON tenants FROM filing_service_role');
    await db.query('GRANT UPDATE ON tenants TO filing_service_role');
    await db.query('DROP INDEX ix_contents_size');
    await db.query('ALTER TABLE tenants DROP COLUMN storage_limit');
  }
}
