import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { withVisibleRows } from '../visible-rows.js';

/** Grants on files have the times of creation of their files, so that lists of files read grants in this order. */
export class CreationOfTargets1795960000000 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE access_grants ADD COLUMN target_created_at timestamptz(3)');
    await withVisibleRows(
      (text, values) => db.query(text, values),
      ['access_grants', 'files'],
      async () => {
        await db.query(`
          UPDATE access_grants g SET target_created_at = f.created_at FROM files f
           WHERE f.tenant_id = g.tenant_id AND f.id = g.target_id AND g.target_type = 'File'`);
        // Grants on deleted files are kept, without effect.
        await db.query(`
          UPDATE access_grants SET target_created_at = created_at
           WHERE target_type = 'File' AND target_created_at IS NULL`);
      },
    );
    await db.query(`
      ALTER TABLE access_grants ADD CONSTRAINT ck_access_grants_target_created_at
        CHECK ((target_type = 'File') = (target_created_at IS NOT NULL))`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE access_grants DROP COLUMN target_created_at');
  }
}
