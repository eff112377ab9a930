import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Partial index of the documents in processing: they are few, and queried often (docs/adr/0019). */
export class Processing1763701250000 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(
      `CREATE INDEX ix_documents_processing ON documents (tenant_id, id) WHERE status = 'Processing'`,
    );
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP INDEX ix_documents_processing');
  }
}
