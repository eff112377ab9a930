import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Sizes, in bytes of JSON, of the values that make answers large. They are generated columns, so the size of a page
 * is known without reading the values. The migration takes about ten seconds for a million documents.
 */
export class AnswerSizes1795305800000 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await addSize(db, 'documents', 'fields');
    await addSize(db, 'saved_views', 'filter');
    await addSize(db, 'document_type_fields', 'options');
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE document_type_fields DROP COLUMN options_size');
    await db.query('ALTER TABLE saved_views DROP COLUMN filter_size');
    await db.query('ALTER TABLE documents DROP COLUMN fields_size');
  }
}

async function addSize(db: QueryRunner, table: string, column: string): Promise<void> {
  await db.query(
    `ALTER TABLE ${table} ADD COLUMN ${column}_size integer NOT NULL
       GENERATED ALWAYS AS (coalesce(octet_length(${column}::text), 0)) STORED`,
  );
}
