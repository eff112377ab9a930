import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { distributionOf } from '../../distribution/distributed-schema.js';
import { ACCESS_VERSIONS } from '../../transactions/database-layout.js';

/**
 * When a tenant was suspended. A distributed database also has the time beside the access version, so that both are read
 * from one row. Only the owner of the database suspends and deletes tenants.
 */
export class SuspendedTenants1795870000000 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE tenants ADD COLUMN suspended_at timestamptz(3)');
    await db.query(
      `CREATE POLICY owner_delete ON tenants FOR DELETE TO CURRENT_USER
         USING (id = nullif(current_setting('app.tenant_id', true), '')::uuid AND suspended_at IS NOT NULL)`,
    );
    if (!(await hasAccessVersions(db))) return;
    await db.query(`ALTER TABLE ${ACCESS_VERSIONS} ADD COLUMN suspended_at timestamptz(3)`);
    await db.query(`REVOKE UPDATE ON ${ACCESS_VERSIONS} FROM filing_service_role`);
    await db.query(`GRANT UPDATE (access_version) ON ${ACCESS_VERSIONS} TO filing_service_role`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP POLICY owner_delete ON tenants');
    await db.query('ALTER TABLE tenants DROP COLUMN suspended_at');
    if (!(await hasAccessVersions(db))) return;
    await db.query(`ALTER TABLE ${ACCESS_VERSIONS} DROP COLUMN suspended_at`);
    await db.query(`GRANT UPDATE ON ${ACCESS_VERSIONS} TO filing_service_role`);
  }
}

async function hasAccessVersions(db: QueryRunner): Promise<boolean> {
  return (await distributionOf((text, values) => db.query(text, values))) === 'distributed';
}
