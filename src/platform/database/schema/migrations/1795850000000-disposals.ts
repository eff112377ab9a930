import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { distributionOf } from '../../distribution/distributed-schema.js';
import { tenantTable } from '../tenant-table.js';
import { tenantsFunction } from '../tenants-with-work.js';

/** Disposals of due files, and what remains of the files that they destroy (docs/adr/0052). */
export class Disposals1795850000000 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE disposals (
        tenant_id uuid NOT NULL CONSTRAINT fk_disposals_tenant REFERENCES tenants (id),
        id uuid NOT NULL,
        name text NOT NULL,
        file_type_id uuid NOT NULL,
        due_before date NOT NULL,
        status text NOT NULL DEFAULT 'Draft'
          CONSTRAINT ck_disposals_status CHECK (status IN ('Draft', 'Submitted', 'Approved', 'Completed')),
        period text NOT NULL,
        starts_at text NOT NULL,
        disposition text NOT NULL,
        rule_changed_at timestamptz(3) NOT NULL,
        editors uuid[] NOT NULL,
        created_by uuid NOT NULL CONSTRAINT fk_disposals_created_by REFERENCES users (id),
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        submitted_by uuid CONSTRAINT fk_disposals_submitted_by REFERENCES users (id),
        submitted_at timestamptz(3),
        approved_by uuid CONSTRAINT fk_disposals_approved_by REFERENCES users (id),
        approved_at timestamptz(3),
        rejection text,
        completed_at timestamptz(3),
        CONSTRAINT pk_disposals PRIMARY KEY (tenant_id, id),
        CONSTRAINT ck_disposals_submitted CHECK ((status = 'Draft') = (submitted_at IS NULL)),
        CONSTRAINT ck_disposals_approved CHECK ((status IN ('Approved', 'Completed')) = (approved_at IS NOT NULL)),
        CONSTRAINT ck_disposals_completed CHECK ((status = 'Completed') = (completed_at IS NOT NULL))
      )`);
    await db.query('CREATE INDEX ix_disposals_created ON disposals (tenant_id, created_at, id)');
    await tenantTable(
      db,
      'disposals',
      `SELECT, INSERT, DELETE, UPDATE (name, status, period, starts_at, disposition, rule_changed_at, editors, submitted_by,
       submitted_at, approved_by, approved_at, rejection, completed_at)`,
    );
    // Without a foreign key to files: the row is what remains of a file that was destroyed.
    await db.query(`
      CREATE TABLE disposal_files (
        tenant_id uuid NOT NULL CONSTRAINT fk_disposal_files_tenant REFERENCES tenants (id),
        disposal_id uuid NOT NULL,
        file_id uuid NOT NULL,
        number text NOT NULL,
        number_key text NOT NULL,
        closed_at timestamptz(3) NOT NULL,
        due_on date,
        decision text CONSTRAINT ck_disposal_files_decision CHECK (decision IN ('Destroy', 'Transferred', 'Keep')),
        reference text,
        keep_until date,
        outcome text CONSTRAINT ck_disposal_files_outcome CHECK (outcome IN ('Destroying', 'Destroyed', 'Kept', 'Skipped')),
        skipped_because text
          CONSTRAINT ck_disposal_files_skipped CHECK (skipped_because IN ('NotClosed', 'NotDue', 'Held')),
        document_count integer NOT NULL DEFAULT 0,
        document_bytes bigint NOT NULL DEFAULT 0,
        disposed_at timestamptz(3),
        is_unfinished boolean NOT NULL DEFAULT true,
        CONSTRAINT pk_disposal_files PRIMARY KEY (tenant_id, disposal_id, file_id),
        CONSTRAINT ck_disposal_files_reference CHECK ((decision IS NOT DISTINCT FROM 'Transferred') = (reference IS NOT NULL)),
        CONSTRAINT ck_disposal_files_keep CHECK ((decision IS NOT DISTINCT FROM 'Keep') = (keep_until IS NOT NULL)),
        CONSTRAINT ck_disposal_files_because CHECK ((outcome IS NOT DISTINCT FROM 'Skipped') = (skipped_because IS NOT NULL))
      )`);
    await db.query(`
      CREATE UNIQUE INDEX uq_disposal_files_unfinished ON disposal_files (tenant_id, file_id) WHERE is_unfinished`);
    await db.query(`
      CREATE INDEX ix_disposal_files_number ON disposal_files (tenant_id, number_key) WHERE outcome = 'Destroyed'`);
    await db.query(`
      CREATE INDEX ix_disposal_files_destroyed ON disposal_files (tenant_id, file_id) WHERE outcome = 'Destroyed'`);
    await db.query(
      'CREATE INDEX ix_disposal_files_order ON disposal_files (tenant_id, disposal_id, closed_at, file_id)',
    );
    await tenantTable(
      db,
      'disposal_files',
      `SELECT, INSERT, DELETE, UPDATE (due_on, decision, reference, keep_until, outcome, skipped_because, document_count,
       document_bytes, disposed_at, is_unfinished)`,
    );
    // Contents of destroyed documents whose bytes are still to be removed, unless another version has them.
    await db.query(`
      CREATE TABLE disposal_contents (
        tenant_id uuid NOT NULL CONSTRAINT fk_disposal_contents_tenant REFERENCES tenants (id),
        disposal_id uuid NOT NULL,
        sha256 text NOT NULL,
        CONSTRAINT pk_disposal_contents PRIMARY KEY (tenant_id, disposal_id, sha256)
      )`);
    await tenantTable(db, 'disposal_contents', 'SELECT, INSERT, DELETE');
    // After the tables are distributed, if the database is.
    await db.query(`
      ALTER TABLE disposals ADD CONSTRAINT fk_disposals_file_type
        FOREIGN KEY (tenant_id, file_type_id) REFERENCES file_types (tenant_id, id)`);
    for (const table of ['disposal_files', 'disposal_contents'])
      await db.query(`
        ALTER TABLE ${table} ADD CONSTRAINT fk_${table}_disposal
          FOREIGN KEY (tenant_id, disposal_id) REFERENCES disposals (tenant_id, id) ON DELETE CASCADE`);
    // Grants are otherwise revoked and kept. Those on a destroyed file, whose reason is text about it, are deleted with it.
    await db.query('GRANT DELETE ON access_grants TO filing_service_role');
    // Notifications about what is destroyed are deleted with it.
    for (const column of ['document_id', 'file_id'])
      await db.query(`
        CREATE INDEX ix_notifications_${column} ON notifications (tenant_id, ${column}) WHERE ${column} IS NOT NULL`);
    // In a distributed database, row-level security does not apply to the owner.
    if ((await distributionOf((text, values) => db.query(text, values))) !== 'distributed')
      await db.query('CREATE POLICY tenants_with_work ON disposals FOR SELECT TO CURRENT_USER USING (true)');
    await db.query(`CREATE INDEX ix_disposals_approved ON disposals (tenant_id) WHERE status = 'Approved'`);
    await tenantsFunction(
      db,
      'tenants_with_approved_disposals',
      'disposals',
      `t.status = 'Approved' AND t.approved_at < before`,
    );
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP FUNCTION tenants_with_approved_disposals');
    await db.query('DROP INDEX ix_notifications_document_id, ix_notifications_file_id');
    await db.query('REVOKE DELETE ON access_grants FROM filing_service_role');
    await db.query('DROP TABLE disposal_contents, disposal_files, disposals');
  }
}
