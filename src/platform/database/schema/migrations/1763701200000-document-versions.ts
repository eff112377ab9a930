import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { tenantTable } from '../tenant-table.js';

/**
 * All contents of a document (docs/adr/0020). The document's row still has its newest content, so that reading
 * documents costs no more than before. `content_version` is the number of that version.
 */
export class DocumentVersions1763701200000 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE document_versions (
        tenant_id uuid NOT NULL CONSTRAINT fk_document_versions_tenant REFERENCES tenants (id),
        document_id uuid NOT NULL,
        number integer NOT NULL CONSTRAINT ck_document_versions_number CHECK (number >= 1),
        content_sha256 text NOT NULL,
        file_name text,
        claimed_media_type text NOT NULL,
        media_type text NOT NULL,
        size bigint NOT NULL,
        page_count integer,
        image_width integer,
        image_height integer,
        word_count integer,
        failure text,
        restored_from integer,
        created_by uuid NOT NULL CONSTRAINT fk_document_versions_created_by REFERENCES users (id),
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT pk_document_versions PRIMARY KEY (tenant_id, document_id, number),
        CONSTRAINT fk_document_versions_document FOREIGN KEY (tenant_id, document_id)
          REFERENCES documents (tenant_id, id) ON DELETE CASCADE,
        CONSTRAINT fk_document_versions_content FOREIGN KEY (tenant_id, content_sha256)
          REFERENCES contents (tenant_id, sha256),
        CONSTRAINT ck_document_versions_image CHECK ((image_width IS NULL) = (image_height IS NULL)),
        CONSTRAINT ck_document_versions_restored_from CHECK (restored_from < number)
      )`);
    await db.query(
      'CREATE INDEX ix_document_versions_content ON document_versions (tenant_id, content_sha256)',
    );
    await tenantTable(db, 'document_versions', 'SELECT, INSERT, UPDATE, DELETE');

    await db.query('ALTER TABLE documents ADD COLUMN content_version integer');
    // To update the rows of all tenants. Row level security is forced again below.
    for (const table of TABLES) await db.query(`ALTER TABLE ${table} NO FORCE ROW LEVEL SECURITY`);
    await db.query(`
      INSERT INTO document_versions (tenant_id, document_id, number, content_sha256, file_name, claimed_media_type,
                                     media_type, size, page_count, created_by, created_at)
      SELECT d.tenant_id, d.id, 1, d.content_sha256, d.content_file_name, d.content_media_type,
             d.content_media_type, d.content_size, d.content_page_count, d.created_by, d.created_at
        FROM documents d WHERE d.content_sha256 IS NOT NULL`);
    await db.query('UPDATE documents SET content_version = 1 WHERE content_sha256 IS NOT NULL');
    for (const table of TABLES) await db.query(`ALTER TABLE ${table} FORCE ROW LEVEL SECURITY`);
    await db.query(
      `ALTER TABLE documents
         ADD CONSTRAINT ck_documents_content_version CHECK ((content_sha256 IS NULL) = (content_version IS NULL))`,
    );
    // Ends with the sort order of lists: a query for documents with the same bytes returns the newest ones.
    await db.query('DROP INDEX ix_documents_content');
    await db.query(`
      CREATE INDEX ix_documents_content ON documents (tenant_id, content_sha256, created_at, id)
        WHERE content_sha256 IS NOT NULL`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP INDEX ix_documents_content');
    await db.query(
      'CREATE INDEX ix_documents_content ON documents (tenant_id, content_sha256) WHERE content_sha256 IS NOT NULL',
    );
    await db.query('ALTER TABLE documents DROP COLUMN content_version');
    await db.query('DROP TABLE document_versions');
  }
}

const TABLES = ['documents', 'document_versions'];
