import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Trigrams come first in their indexes: PostgreSQL then looks up only rows with all trigrams of a search in the list of the
 * tenant's rows (docs/adr/0007). A field belongs to one tenant, so its id is enough.
 */
export class TrigramsFirst1795930000000 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await createIndexes(db, ['search_text gin_trgm_ops, tenant_id', 'text_key gin_trgm_ops, field_id']);
  }

  async down(db: QueryRunner): Promise<void> {
    await createIndexes(db, [
      'tenant_id, search_text gin_trgm_ops',
      'tenant_id, field_id, text_key gin_trgm_ops',
    ]);
  }
}

async function createIndexes(db: QueryRunner, [ofFiles, ofValues]: readonly [string, string]): Promise<void> {
  await db.query('DROP INDEX ix_files_search_text');
  await db.query(`CREATE INDEX ix_files_search_text ON files USING gin (${ofFiles})`);
  await db.query('DROP INDEX ix_document_values_contains');
  await db.query(`CREATE INDEX ix_document_values_contains ON document_values USING gin (${ofValues})
                   WHERE text_key IS NOT NULL`);
}
