import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { tenantTable } from '../tenant-table.js';

/** Retention rules of file types (docs/adr/0051), and what finds the closed files of a type by the time of closing. */
export class FileRetention1795810000000 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE file_type_retentions (
        tenant_id uuid NOT NULL CONSTRAINT fk_file_type_retentions_tenant REFERENCES tenants (id),
        file_type_id uuid NOT NULL,
        period text CONSTRAINT ck_file_type_retentions_period CHECK (period ~ '^P[1-9][0-9]{0,3}[YM]$'),
        starts_at text NOT NULL
          CONSTRAINT ck_file_type_retentions_starts_at CHECK (starts_at IN ('Closing', 'EndOfYearOfClosing')),
        disposition text NOT NULL
          CONSTRAINT ck_file_type_retentions_disposition CHECK (disposition IN ('Destroy', 'Transfer', 'Review')),
        changed_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT pk_file_type_retentions PRIMARY KEY (tenant_id, file_type_id)
      )`);
    await tenantTable(
      db,
      'file_type_retentions',
      'SELECT, INSERT, UPDATE (period, starts_at, disposition, changed_at)',
    );
    // After the table is distributed, if the database is.
    await db.query(`
      ALTER TABLE file_type_retentions ADD CONSTRAINT fk_file_type_retentions_file_type
        FOREIGN KEY (tenant_id, file_type_id) REFERENCES file_types (tenant_id, id)`);
    await db.query('ALTER TABLE files ADD COLUMN keep_until date');
    await db.query(`
      CREATE INDEX ix_files_closed ON files (tenant_id, file_type_id, closed_at, id) WHERE closed_at IS NOT NULL`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP INDEX ix_files_closed');
    await db.query('ALTER TABLE files DROP COLUMN keep_until');
    await db.query('DROP TABLE file_type_retentions');
  }
}
