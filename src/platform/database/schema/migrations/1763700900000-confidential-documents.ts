import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Indexes for the list of confidential documents and for access lists. */
export class ConfidentialDocuments1763700900000 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(
      'CREATE INDEX ix_documents_confidential ON documents (tenant_id, created_at, id) WHERE is_confidential',
    );
    await db.query(`
      CREATE INDEX ix_document_confidential_users_added
        ON document_confidential_users (tenant_id, document_id, created_at, user_id)`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP INDEX ix_document_confidential_users_added');
    await db.query('DROP INDEX ix_documents_confidential');
  }
}
