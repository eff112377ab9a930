import { type MigrationInterface, type QueryRunner } from 'typeorm';

const TABLES = ['documents', 'document_confidential_users'];

/**
 * An entry in an access list makes the document visible, so searches also find documents by these entries. Like the
 * other tables that documents are found by, this one gets a copy of `created_at` (docs/adr/0016). A foreign key keeps
 * the copies equal.
 */
export class ConfidentialPlaces1795392200000 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    // Created again below: without them, the update is faster.
    await db.query('DROP INDEX ix_document_confidential_users_user, ix_document_confidential_users_added');
    await db.query('ALTER TABLE document_confidential_users ADD COLUMN document_created_at timestamptz(3)');
    // To update the rows of all tenants. Row level security is forced again below.
    for (const table of TABLES) await db.query(`ALTER TABLE ${table} NO FORCE ROW LEVEL SECURITY`);
    await db.query(`
      UPDATE document_confidential_users c SET document_created_at = d.created_at
        FROM documents d WHERE d.tenant_id = c.tenant_id AND d.id = c.document_id`);
    for (const table of TABLES) await db.query(`ALTER TABLE ${table} FORCE ROW LEVEL SECURITY`);
    await db.query(`
      ALTER TABLE document_confidential_users
        ALTER COLUMN document_created_at SET NOT NULL,
        DROP CONSTRAINT fk_document_confidential_users_document,
        ADD CONSTRAINT fk_document_confidential_users_document
          FOREIGN KEY (tenant_id, document_id, document_created_at)
          REFERENCES documents (tenant_id, id, created_at) ON DELETE CASCADE`);
    await db.query(`
      CREATE INDEX ix_document_confidential_users_user
        ON document_confidential_users (tenant_id, user_id, document_created_at, document_id)`);
    await db.query(`
      CREATE INDEX ix_document_confidential_users_added
        ON document_confidential_users (tenant_id, document_id, created_at, user_id)`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP INDEX ix_document_confidential_users_user');
    await db.query(`
      ALTER TABLE document_confidential_users
        DROP CONSTRAINT fk_document_confidential_users_document,
        DROP COLUMN document_created_at,
        ADD CONSTRAINT fk_document_confidential_users_document FOREIGN KEY (tenant_id, document_id)
          REFERENCES documents (tenant_id, id) ON DELETE CASCADE`);
    await db.query(`
      CREATE INDEX ix_document_confidential_users_user
        ON document_confidential_users (tenant_id, user_id, document_id)`);
  }
}
