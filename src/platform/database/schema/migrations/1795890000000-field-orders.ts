import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Indexes for lists of documents by the values of a field: texts in the root collation, which also find equal texts, and
 * amounts by currency. The other types have indexes in this order.
 */
export class FieldOrders1795890000000 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await this.textIndex(db, 'COLLATE "und-x-icu"');
    await db.query(`
      CREATE INDEX ix_document_values_money
        ON document_values (tenant_id, field_id, currency, number_value, created_at, document_id)
        WHERE currency IS NOT NULL`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP INDEX ix_document_values_money');
    await this.textIndex(db, '');
  }

  private async textIndex(db: QueryRunner, collation: string): Promise<void> {
    await db.query('DROP INDEX ix_document_values_text');
    await db.query(`
      CREATE INDEX ix_document_values_text
        ON document_values (tenant_id, field_id, left(text_key, 64) ${collation}, created_at, document_id)
        WHERE text_key IS NOT NULL`);
  }
}
