import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { type Query, distributionOf } from '../../distribution/distributed-schema.js';
import { searchView, tenantTable } from '../tenant-table.js';
import { withVisibleRows } from '../visible-rows.js';

/**
 * The lexicon: the words of a tenant's documents (docs/adr/0044). Queues all documents; a task adds their words after the
 * start.
 */
export class DocumentWords1795565000000 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    const query: Query = (text, values) => db.query(text, values);
    const isDistributed = (await distributionOf(query)) === 'distributed';
    await db.query(`
      CREATE TABLE lexicons (
        tenant_id uuid CONSTRAINT pk_lexicons PRIMARY KEY,
        words integer NOT NULL DEFAULT 0
      )`);
    // Collation C, so that the primary key also finds beginnings of words.
    await db.query(`
      CREATE TABLE document_words (
        tenant_id uuid NOT NULL,
        word text COLLATE "C" NOT NULL,
        document_id uuid,
        CONSTRAINT pk_document_words PRIMARY KEY (tenant_id, word)
      )`);
    await db.query(`
      CREATE TABLE word_queue (
        tenant_id uuid NOT NULL,
        document_id uuid NOT NULL,
        queued_at timestamptz(3) NOT NULL DEFAULT now(),
        part integer NOT NULL DEFAULT 0,
        CONSTRAINT pk_word_queue PRIMARY KEY (tenant_id, document_id)
      )`);
    await tenantTable(db, 'lexicons', 'SELECT, INSERT, UPDATE');
    await tenantTable(db, 'document_words', 'SELECT, INSERT, UPDATE, DELETE');
    await tenantTable(db, 'word_queue', 'SELECT, INSERT, UPDATE, DELETE');
    for (const table of ['lexicons', 'document_words', 'word_queue'])
      await db.query(
        `ALTER TABLE ${table} ADD CONSTRAINT fk_${table}_tenant FOREIGN KEY (tenant_id) REFERENCES tenants (id)`,
      );
    // The purge clears document_id first. Citus does not support SET NULL of some columns of a key.
    for (const table of ['document_words', 'word_queue'])
      await db.query(`
        ALTER TABLE ${table} ADD CONSTRAINT fk_${table}_document
          FOREIGN KEY (tenant_id, document_id) REFERENCES documents (tenant_id, id) ON DELETE CASCADE`);
    await db.query(
      'CREATE INDEX ix_document_words_parts ON document_words USING gin (tenant_id, word gin_trgm_ops)',
    );
    await db.query(
      'CREATE INDEX ix_document_words_document ON document_words (tenant_id, document_id) WHERE document_id IS NOT NULL',
    );
    await db.query(
      'CREATE INDEX ix_document_words_open ON document_words (tenant_id, word) WHERE document_id IS NULL',
    );
    await db.query('CREATE INDEX ix_word_queue_newest ON word_queue (tenant_id, queued_at, document_id)');
    // For suggestions of titles.
    await db.query(
      'CREATE INDEX ix_document_texts_titles ON document_texts USING gin (tenant_id, vector) WHERE part = 0',
    );
    await searchView(db, 'document_words');
    await withVisibleRows(query, ['documents', 'word_queue'], () =>
      db.query(
        `INSERT INTO word_queue (tenant_id, document_id, queued_at)
         SELECT d.tenant_id, d.id, d.created_at FROM documents d
          WHERE NOT d.is_confidential AND d.status <> 'Deleted'`,
      ),
    );
    if (!isDistributed)
      await db.query('CREATE POLICY tenants_with_work ON word_queue FOR SELECT TO CURRENT_USER USING (true)');
    await db.query(`
      CREATE FUNCTION tenants_with_word_changes(before timestamptz) RETURNS SETOF uuid
        LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp
      AS $$ BEGIN
        RETURN QUERY SELECT r.tenant_id FROM roles r
          WHERE r.key = 'administrator'
            AND (EXISTS (SELECT FROM word_queue q WHERE q.tenant_id = r.tenant_id)
              OR EXISTS (SELECT FROM document_words w WHERE w.tenant_id = r.tenant_id AND w.document_id IS NULL));
      END $$`);
    await db.query('REVOKE ALL ON FUNCTION tenants_with_word_changes FROM PUBLIC');
    await db.query('GRANT EXECUTE ON FUNCTION tenants_with_word_changes TO filing_service_role');
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP FUNCTION tenants_with_word_changes');
    await db.query('DROP INDEX ix_document_texts_titles');
    await db.query('DROP VIEW document_words_search');
    for (const table of ['word_queue', 'document_words', 'lexicons']) await db.query(`DROP TABLE ${table}`);
  }
}
