import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { distributionOf } from '../../distribution/distributed-schema.js';
import { tenantTable } from '../tenant-table.js';

/**
 * Exports (docs/adr/0050). The package of an export is a content. `export_items` has the ids of the files and documents in
 * it: each download asks whether its creator still sees them, and a disposal finds the exports of what it destroys.
 */
export class Exports1795840000000 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE exports (
        tenant_id uuid NOT NULL CONSTRAINT fk_exports_tenant REFERENCES tenants (id),
        id uuid NOT NULL,
        name text NOT NULL,
        scope jsonb NOT NULL,
        status text NOT NULL DEFAULT 'Pending' CONSTRAINT ck_exports_status
          CHECK (status IN ('Pending', 'Running', 'Ready', 'Failed', 'Expired')),
        document_count integer NOT NULL,
        documents_done integer NOT NULL DEFAULT 0,
        has_audit_entries boolean NOT NULL DEFAULT false,
        run_id uuid,
        content_sha256 text,
        size bigint,
        failure text CONSTRAINT ck_exports_failure CHECK (failure IN
          ('TooLarge', 'StorageLimitExceeded', 'NotPermitted', 'ContentDamaged', 'ServiceError')),
        created_by uuid NOT NULL CONSTRAINT fk_exports_created_by REFERENCES users (id),
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        expires_at timestamptz(3),
        CONSTRAINT pk_exports PRIMARY KEY (tenant_id, id),
        CONSTRAINT ck_exports_failed CHECK ((status = 'Failed') = (failure IS NOT NULL)),
        CONSTRAINT ck_exports_running CHECK ((status = 'Running') = (run_id IS NOT NULL)),
        CONSTRAINT ck_exports_ready CHECK (status <> 'Ready' OR (content_sha256 IS NOT NULL AND expires_at IS NOT NULL))
      )`);
    await db.query(`
      CREATE TABLE export_items (
        tenant_id uuid NOT NULL CONSTRAINT fk_export_items_tenant REFERENCES tenants (id),
        export_id uuid NOT NULL,
        item_id uuid NOT NULL,
        is_file boolean NOT NULL,
        CONSTRAINT pk_export_items PRIMARY KEY (tenant_id, export_id, item_id)
      )`);
    await db.query('CREATE INDEX ix_exports_created_by ON exports (tenant_id, created_by, created_at, id)');
    await db.query('CREATE INDEX ix_exports_content ON exports (tenant_id, content_sha256)');
    await db.query('CREATE INDEX ix_export_items_item ON export_items (tenant_id, item_id)');
    await tenantTable(
      db,
      'exports',
      `SELECT, INSERT, DELETE, UPDATE (status, document_count, documents_done, has_audit_entries, run_id, content_sha256,
       size, failure, expires_at)`,
    );
    await tenantTable(db, 'export_items', 'SELECT, INSERT, DELETE');
    await this.createFunction(db);
    // After the tables are distributed, if the database is.
    await db.query(`
      ALTER TABLE export_items ADD CONSTRAINT fk_export_items_export
        FOREIGN KEY (tenant_id, export_id) REFERENCES exports (tenant_id, id) ON DELETE CASCADE`);
    await db.query(`
      ALTER TABLE exports ADD CONSTRAINT fk_exports_content
        FOREIGN KEY (tenant_id, content_sha256) REFERENCES contents (tenant_id, sha256)`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP FUNCTION tenants_with_due_exports');
    await db.query('DROP TABLE export_items, exports');
  }

  /** Tenants with exports that are unfinished, have expired, or were created 30 days before `before`. */
  private async createFunction(db: QueryRunner): Promise<void> {
    // In a distributed database, row-level security does not apply to the owner.
    if ((await distributionOf((text, values) => db.query(text, values))) !== 'distributed')
      await db.query('CREATE POLICY tenants_with_work ON exports FOR SELECT TO CURRENT_USER USING (true)');
    await db.query(`
      CREATE FUNCTION tenants_with_due_exports(before timestamptz) RETURNS SETOF uuid
        LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp
      AS $$ BEGIN
        RETURN QUERY SELECT DISTINCT x.tenant_id FROM exports x
          WHERE x.status IN ('Pending', 'Running') OR (x.status = 'Ready' AND x.expires_at <= before)
             OR x.created_at <= before - interval '30 days';
      END $$`);
    await db.query('REVOKE ALL ON FUNCTION tenants_with_due_exports FROM PUBLIC');
    await db.query('GRANT EXECUTE ON FUNCTION tenants_with_due_exports TO filing_service_role');
  }
}
