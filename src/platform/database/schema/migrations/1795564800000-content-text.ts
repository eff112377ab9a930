import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { changeSearchView } from '../tenant-table.js';
import { tenantsFunction } from '../tenants-with-work.js';
import { withVisibleRows } from '../visible-rows.js';

const FUNCTION = 'tenants_with_processing_documents';

/**
 * Adds to each document whether its content has text, and to each version which pages were recognised (OCR). Rewrites
 * the rows of all documents that have content.
 */
export class ContentText1795564800000 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE documents ADD COLUMN content_text text, ADD COLUMN content_failure text');
    await db.query(
      `ALTER TABLE document_versions ADD COLUMN recognised_pages integer[] NOT NULL DEFAULT '{}'`,
    );
    await withVisibleRows(
      (text, values) => db.query(text, values),
      ['documents', 'document_versions', 'document_texts'],
      () =>
        db.query(`
        UPDATE documents d
           SET content_failure = v.failure,
               content_text = CASE WHEN d.status = 'Processing' THEN 'Pending'
                                   WHEN v.failure IS NOT NULL THEN 'Failed'
                                   WHEN EXISTS (SELECT FROM document_texts t WHERE t.tenant_id = d.tenant_id
                                                   AND t.document_id = d.id AND t.part > 0) THEN 'Available'
                                   ELSE 'None' END
          FROM document_versions v
         WHERE v.tenant_id = d.tenant_id AND v.document_id = d.id AND v.number = d.content_version`),
    );
    await db.query(`
      ALTER TABLE documents
        ADD CONSTRAINT ck_documents_content_text CHECK (
          content_text IN ('Pending', 'Available', 'None', 'Failed')
          AND (content_text IS NULL) = (content_sha256 IS NULL)
          AND (content_text IS NOT DISTINCT FROM 'Failed') = (content_failure IS NOT NULL))`);
    // Available is the rule: a list of such documents is as fast without an index.
    await db.query(`
      CREATE INDEX ix_documents_without_text ON documents (tenant_id, content_text, created_at, id)
        WHERE content_text IN ('None', 'Failed')`);
    await db.query('DROP INDEX ix_documents_processing');
    await db.query(
      `CREATE INDEX ix_documents_pending ON documents (tenant_id, id) WHERE content_text = 'Pending'`,
    );
    await tenantsFunction(db, FUNCTION, 'documents', `t.content_text = 'Pending'`);
    await changeSearchView(db, 'documents', { add: 'content_text' });
  }

  async down(db: QueryRunner): Promise<void> {
    await tenantsFunction(db, FUNCTION, 'documents', `t.status = 'Processing'`);
    await db.query(
      `CREATE INDEX ix_documents_processing ON documents (tenant_id, id) WHERE status = 'Processing'`,
    );
    await changeSearchView(db, 'documents', { remove: 'content_text' });
    await db.query('ALTER TABLE document_versions DROP COLUMN recognised_pages');
    await db.query('ALTER TABLE documents DROP COLUMN content_text, DROP COLUMN content_failure');
  }
}
