import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { type Query, distributionOf } from '../../distribution/distributed-schema.js';
import { tenantsFunction } from '../tenants-with-work.js';
import { withVisibleRows } from '../visible-rows.js';

/**
 * Words of values are searched: they are in the parts from -20 to -1 of the text of a document. After the start, a task
 * adds them for the documents of each type, the newest first.
 */
export class ValuesInTexts1795900000000 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE document_texts DROP CONSTRAINT ck_document_texts_part');
    // The former condition was stricter, so the rows need no check.
    await db.query(
      'ALTER TABLE document_texts ADD CONSTRAINT ck_document_texts_part CHECK (part >= -20) NOT VALID',
    );
    await db.query('ALTER TABLE word_queue ALTER COLUMN part SET DEFAULT -20');
    // Existing types begin with their newest documents; new ones have nothing to do.
    await db.query(
      `ALTER TABLE document_types ADD COLUMN index_before uuid DEFAULT 'ffffffff-ffff-ffff-ffff-ffffffffffff'`,
    );
    await db.query('ALTER TABLE document_types ALTER COLUMN index_before DROP DEFAULT');
    const query: Query = (text, values) => db.query(text, values);
    if ((await distributionOf(query)) !== 'distributed')
      await db.query(
        'CREATE POLICY tenants_with_work ON document_types FOR SELECT TO CURRENT_USER USING (true)',
      );
    await tenantsFunction(db, 'tenants_with_values_to_index', 'document_types', 't.index_before IS NOT NULL');
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP FUNCTION tenants_with_values_to_index');
    await db.query('DROP POLICY IF EXISTS tenants_with_work ON document_types');
    await db.query('ALTER TABLE document_types DROP COLUMN index_before');
    await db.query('ALTER TABLE word_queue ALTER COLUMN part SET DEFAULT 0');
    const query: Query = (text, values) => db.query(text, values);
    await withVisibleRows(query, ['word_queue', 'document_texts'], async () => {
      await db.query('UPDATE word_queue SET part = 0 WHERE part < 0');
      await db.query('DELETE FROM document_texts WHERE part < 0');
    });
    await db.query('ALTER TABLE document_texts DROP CONSTRAINT ck_document_texts_part');
    await db.query('ALTER TABLE document_texts ADD CONSTRAINT ck_document_texts_part CHECK (part >= 0)');
  }
}
