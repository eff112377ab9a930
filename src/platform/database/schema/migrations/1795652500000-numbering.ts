import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { tenantTable } from '../tenant-table.js';

/** Patterns of file numbers, and the counters of the numbers that were given. */
export class Numbering1795652500000 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE file_type_numberings (
        tenant_id uuid NOT NULL CONSTRAINT fk_file_type_numberings_tenant REFERENCES tenants (id),
        file_type_id uuid NOT NULL,
        pattern text NOT NULL,
        CONSTRAINT pk_file_type_numberings PRIMARY KEY (tenant_id, file_type_id)
      )`);
    await tenantTable(db, 'file_type_numberings', 'SELECT, INSERT, DELETE, UPDATE (pattern)');
    await db.query(`
      CREATE TABLE number_counters (
        tenant_id uuid NOT NULL CONSTRAINT fk_number_counters_tenant REFERENCES tenants (id),
        series_key text NOT NULL,
        next bigint CONSTRAINT ck_number_counters_next CHECK (next >= 1),
        given bigint NOT NULL DEFAULT 0,
        CONSTRAINT pk_number_counters PRIMARY KEY (tenant_id, series_key)
      )`);
    await tenantTable(db, 'number_counters', 'SELECT, INSERT, UPDATE (next, given)');
    // After the table is distributed, if the database is.
    await db.query(`
      ALTER TABLE file_type_numberings ADD CONSTRAINT fk_file_type_numberings_file_type
        FOREIGN KEY (tenant_id, file_type_id) REFERENCES file_types (tenant_id, id)`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP TABLE number_counters');
    await db.query('DROP TABLE file_type_numberings');
  }
}
