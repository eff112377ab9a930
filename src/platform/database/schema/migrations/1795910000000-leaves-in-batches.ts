import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { withVisibleRows } from '../visible-rows.js';

/** A row of `audit_leaves` has the leaves of a batch, one after another. The rows that exist are batches of one leaf. */
export class LeavesInBatches1795910000000 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE audit_leaves RENAME COLUMN hash TO hashes');
    await db.query('ALTER TABLE audit_leaves RENAME COLUMN salt TO salts');
  }

  async down(db: QueryRunner): Promise<void> {
    await withVisibleRows(
      (text, values) => db.query(text, values),
      ['audit_leaves'],
      () =>
        db.query(`
          WITH batches AS (DELETE FROM audit_leaves WHERE length(salts) > 16 RETURNING *)
          INSERT INTO audit_leaves (tenant_id, sequence, hashes, salts)
          SELECT b.tenant_id, b.sequence + i, substr(b.hashes, 1 + 32 * i, 32), substr(b.salts, 1 + 16 * i, 16)
            FROM batches b, generate_series(0, length(b.salts) / 16 - 1) i`),
    );
    await db.query('ALTER TABLE audit_leaves RENAME COLUMN hashes TO hash');
    await db.query('ALTER TABLE audit_leaves RENAME COLUMN salts TO salt');
  }
}
