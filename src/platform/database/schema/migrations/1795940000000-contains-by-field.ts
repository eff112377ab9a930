import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * The index of trigrams in texts of fields is without the tenant: a search would read the list of all texts of the tenant
 * besides that of the field, which belongs to the tenant (docs/adr/0007).
 */
export class ContainsByField1795940000000 implements MigrationInterface {
  up(db: QueryRunner): Promise<void> {
    return createIndex(db, 'field_id, text_key gin_trgm_ops');
  }

  down(db: QueryRunner): Promise<void> {
    return createIndex(db, 'tenant_id, field_id, text_key gin_trgm_ops');
  }
}

async function createIndex(db: QueryRunner, columns: string): Promise<void> {
  await db.query('DROP INDEX ix_document_values_contains');
  await db.query(
    `CREATE INDEX ix_document_values_contains ON document_values USING gin (${columns}) WHERE text_key IS NOT NULL`,
  );
}
