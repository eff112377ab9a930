import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { singlePart } from '../../../../common/text-parts.js';
import { documentVector } from '../document-vector.js';
import { searchView, tenantTable } from '../tenant-table.js';

/** Number of titles that one statement indexes. */
const BATCH = 2000;

/** Search vectors of documents (docs/adr/0022). */
export class DocumentTexts1763701300000 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE document_texts (
        tenant_id uuid NOT NULL CONSTRAINT fk_document_texts_tenant REFERENCES tenants (id),
        document_id uuid NOT NULL,
        part integer NOT NULL CONSTRAINT ck_document_texts_part CHECK (part >= 0),
        created_at timestamptz(3) NOT NULL,
        text text NOT NULL,
        vector tsvector NOT NULL,
        CONSTRAINT pk_document_texts PRIMARY KEY (tenant_id, document_id, part)
      )`);
    for (const table of ['documents', 'document_texts']) {
      // To read and write the rows of all tenants. Row level security is forced again below.
      await db.query(`ALTER TABLE ${table} NO FORCE ROW LEVEL SECURITY`);
    }
    await this.indexTitles(db);
    await db.query(`
      ALTER TABLE document_texts ADD CONSTRAINT fk_document_texts_document
        FOREIGN KEY (tenant_id, document_id, created_at) REFERENCES documents (tenant_id, id, created_at)
        ON DELETE CASCADE`);
    await db.query('CREATE INDEX ix_document_texts_vector ON document_texts USING gin (tenant_id, vector)');
    await db.query('ALTER TABLE documents FORCE ROW LEVEL SECURITY');
    await tenantTable(db, 'document_texts', 'SELECT, INSERT, UPDATE, DELETE');
    await searchView(db, 'document_texts');
  }

  private async indexTitles(db: QueryRunner): Promise<void> {
    interface Titled {
      tenant_id: string;
      id: string;
      text: string;
    }
    for (let last: Titled | undefined; ;) {
      const rows = (await db.query(
        `SELECT tenant_id, id, concat_ws(' · ', title, content_file_name) AS text FROM documents
          WHERE $1::uuid IS NULL OR (tenant_id, id) > ($1::uuid, $2::uuid) ORDER BY tenant_id, id LIMIT ${BATCH}`,
        [last?.tenant_id ?? null, last?.id ?? null],
      )) as Titled[];
      last = rows.at(-1);
      if (!last) return;
      const titles = rows.map(({ text, ...key }) => ({ ...key, ...singlePart(text) }));
      await db.query(
        `INSERT INTO document_texts (tenant_id, document_id, part, created_at, text, vector)
         SELECT d.tenant_id, d.id, 0, d.created_at, t.text, ${documentVector('t.words', 't.positions')}
           FROM jsonb_to_recordset($1) AS t (tenant_id uuid, id uuid, text text, words text[], positions text[])
           JOIN documents d ON d.tenant_id = t.tenant_id AND d.id = t.id`,
        [JSON.stringify(titles)],
      );
    }
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP VIEW document_texts_search');
    await db.query('DROP TABLE document_texts');
  }
}
