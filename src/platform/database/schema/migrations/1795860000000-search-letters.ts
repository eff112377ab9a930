import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { LETTERS_WITH_BASE, searchFold } from '../../../../common/text.js';
import { type Query, distributionOf } from '../../distribution/distributed-schema.js';
import { tenantTable } from '../tenant-table.js';
import { tenantsFunction } from '../tenants-with-work.js';
import { withVisibleRows } from '../visible-rows.js';

const BATCH = 2000;

interface FileRow {
  readonly tenant_id: string;
  readonly id: string;
  readonly search_text: string;
  readonly search_starts: readonly string[];
}

/**
 * Letters such as ł, ø and æ are found by their base letters. Folds the search forms of files again; a task does so with
 * the texts of all tenants after the start, from the newest document on.
 */
export class SearchLetters1795860000000 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    const query: Query = (text, values) => db.query(text, values);
    await withVisibleRows(query, ['files'], () => this.foldFiles(db));
    // The parts before this position are to be folded.
    await db.query(`
      CREATE TABLE text_foldings (
        tenant_id uuid CONSTRAINT pk_text_foldings PRIMARY KEY,
        before_id uuid NOT NULL DEFAULT 'ffffffff-ffff-ffff-ffff-ffffffffffff',
        part integer NOT NULL DEFAULT 0
      )`);
    await tenantTable(db, 'text_foldings', 'SELECT, UPDATE, DELETE');
    await db.query(`
      ALTER TABLE text_foldings ADD CONSTRAINT fk_text_foldings_tenant FOREIGN KEY (tenant_id) REFERENCES tenants (id)`);
    await withVisibleRows(query, ['text_foldings'], () =>
      db.query('INSERT INTO text_foldings (tenant_id) SELECT t.id FROM tenants t'),
    );
    if ((await distributionOf(query)) !== 'distributed')
      await db.query(
        'CREATE POLICY tenants_with_work ON text_foldings FOR SELECT TO CURRENT_USER USING (true)',
      );
    await tenantsFunction(db, 'tenants_with_texts_to_fold', 'text_foldings', 'true');
  }

  /** Keeps the forms: the former release replaces them when it reads a text again. */
  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP FUNCTION tenants_with_texts_to_fold');
    await db.query('DROP TABLE text_foldings');
  }

  private async foldFiles(db: QueryRunner): Promise<void> {
    for (let last: FileRow | undefined; ;) {
      const rows = (await db.query(
        `SELECT f.tenant_id, f.id, f.search_text, f.search_starts FROM files f
          WHERE ($2::uuid IS NULL OR (f.tenant_id, f.id) > ($2::uuid, $3::uuid))
            AND f.search_text COLLATE "C" ~ $1
          ORDER BY f.tenant_id, f.id LIMIT ${BATCH}`,
        [LETTERS_WITH_BASE, last?.tenant_id ?? null, last?.id ?? null],
      )) as FileRow[];
      last = rows.at(-1);
      if (!last) return;
      for (const tenantId of new Set(rows.map((row) => row.tenant_id)))
        await this.update(
          db,
          tenantId,
          rows.filter((row) => row.tenant_id === tenantId),
        );
    }
  }

  private async update(db: QueryRunner, tenantId: string, files: readonly FileRow[]): Promise<void> {
    const folded = files.map(({ id, search_text, search_starts }) => ({
      id,
      text: searchFold(search_text),
      starts: [...new Set(search_starts.flatMap(foldedStarts))],
    }));
    await db.query(
      `UPDATE files f SET search_text = n.text, search_starts = n.starts
         FROM jsonb_to_recordset($2) AS n (id uuid, text text, starts text[])
        WHERE f.tenant_id = $1 AND f.id = n.id`,
      [tenantId, JSON.stringify(folded)],
    );
  }
}

/** The beginnings of one and two characters of a former one. */
function foldedStarts(start: string): string[] {
  const [first = '', second = ''] = searchFold(start);
  return [first, first + second];
}
