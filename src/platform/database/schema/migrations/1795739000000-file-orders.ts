import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Sorts files by number (`A-9` before `A-10`), name, change and closing. */
export class FileOrders1795739000000 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`CREATE COLLATION natural_order (provider = icu, locale = 'und-u-kn-true')`);
    await db.query('CREATE INDEX ix_files_number ON files (tenant_id, number COLLATE natural_order, id)');
    await db.query('CREATE INDEX ix_files_name ON files (tenant_id, name COLLATE "und-x-icu", id)');
    await db.query('CREATE INDEX ix_files_updated ON files (tenant_id, updated_at, id)');
    await db.query(
      'CREATE INDEX ix_files_closed_at ON files (tenant_id, closed_at, id) WHERE closed_at IS NOT NULL',
    );
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP INDEX ix_files_number, ix_files_name, ix_files_updated, ix_files_closed_at');
    await db.query('DROP COLLATION natural_order');
  }
}
