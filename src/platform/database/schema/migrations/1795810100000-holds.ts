import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { tenantTable } from '../tenant-table.js';

/** The tables of what a hold contains, with the table that each refers to. */
const ITEMS = [
  { table: 'hold_files', column: 'file_id', target: 'files' },
  { table: 'hold_documents', column: 'document_id', target: 'documents' },
] as const;

/** Holds on files and documents (docs/adr/0051). */
export class Holds1795810100000 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE holds (
        tenant_id uuid NOT NULL CONSTRAINT fk_holds_tenant REFERENCES tenants (id),
        id uuid NOT NULL,
        name text NOT NULL,
        reason text NOT NULL,
        status text NOT NULL DEFAULT 'Active' CONSTRAINT ck_holds_status CHECK (status IN ('Active', 'Released')),
        created_by uuid NOT NULL CONSTRAINT fk_holds_created_by REFERENCES users (id),
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        released_at timestamptz(3),
        CONSTRAINT pk_holds PRIMARY KEY (tenant_id, id),
        CONSTRAINT ck_holds_released CHECK ((status = 'Released') = (released_at IS NOT NULL))
      )`);
    await db.query('CREATE INDEX ix_holds_created ON holds (tenant_id, created_at, id)');
    await tenantTable(db, 'holds', 'SELECT, INSERT, UPDATE (name, reason, status, released_at)');
    for (const { table, column, target } of ITEMS) {
      await db.query(`
        CREATE TABLE ${table} (
          tenant_id uuid NOT NULL CONSTRAINT fk_${table}_tenant REFERENCES tenants (id),
          hold_id uuid NOT NULL,
          ${column} uuid NOT NULL,
          added_by uuid NOT NULL CONSTRAINT fk_${table}_added_by REFERENCES users (id),
          added_at timestamptz(3) NOT NULL DEFAULT now(),
          CONSTRAINT pk_${table} PRIMARY KEY (tenant_id, hold_id, ${column})
        )`);
      await db.query(`CREATE INDEX ix_${table}_item ON ${table} (tenant_id, ${column})`);
      await db.query(`CREATE INDEX ix_${table}_added ON ${table} (tenant_id, hold_id, added_at, ${column})`);
      await tenantTable(db, table, 'SELECT, INSERT, DELETE');
      // After the tables are distributed, if the database is.
      await db.query(`
        ALTER TABLE ${table} ADD CONSTRAINT fk_${table}_hold
          FOREIGN KEY (tenant_id, hold_id) REFERENCES holds (tenant_id, id)`);
      // What a released hold contained can be deleted.
      await db.query(`
        ALTER TABLE ${table} ADD CONSTRAINT fk_${table}_item
          FOREIGN KEY (tenant_id, ${column}) REFERENCES ${target} (tenant_id, id) ON DELETE CASCADE`);
    }
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP TABLE hold_files, hold_documents, holds');
  }
}
