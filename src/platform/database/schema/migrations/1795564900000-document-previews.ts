import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { distributionOf } from '../../distribution/distributed-schema.js';
import { tenantTable } from '../tenant-table.js';

/**
 * Rendered pages of documents, which can be rendered again at any time (docs/adr/0045). A row without an image stands for
 * a page that cannot be rendered.
 */
export class DocumentPreviews1795564900000 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE document_previews (
        tenant_id uuid NOT NULL CONSTRAINT fk_document_previews_tenant REFERENCES tenants (id),
        document_id uuid NOT NULL,
        version integer NOT NULL,
        page integer NOT NULL CONSTRAINT ck_document_previews_page CHECK (page >= 1),
        width integer NOT NULL CONSTRAINT ck_document_previews_width CHECK (width IN (200, 400, 800, 1600)),
        renderer integer NOT NULL,
        image bytea CONSTRAINT ck_document_previews_image CHECK (octet_length(image) <= 2097152),
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT pk_document_previews PRIMARY KEY (tenant_id, document_id, version, page, width)
      )`);
    // WebP is compressed already.
    await db.query('ALTER TABLE document_previews ALTER COLUMN image SET STORAGE EXTERNAL');
    await db.query('CREATE INDEX ix_document_previews_created ON document_previews (tenant_id, created_at)');
    await db.query(
      'CREATE INDEX ix_document_previews_failed ON document_previews (tenant_id, created_at) WHERE image IS NULL',
    );
    await tenantTable(
      db,
      'document_previews',
      'SELECT, INSERT, DELETE, UPDATE (renderer, image, created_at)',
    );
    await this.createFunction(db);
    // After the table is distributed, if the database is.
    await db.query(`
      ALTER TABLE document_previews ADD CONSTRAINT fk_document_previews_version
        FOREIGN KEY (tenant_id, document_id, version)
        REFERENCES document_versions (tenant_id, document_id, number) ON DELETE CASCADE`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP FUNCTION tenants_with_expired_document_previews');
    await db.query('DROP TABLE document_previews');
  }

  /** Tenants with failures from before `before`, or with images 29 days older. */
  private async createFunction(db: QueryRunner): Promise<void> {
    // In a distributed database, row-level security does not apply to the owner.
    if ((await distributionOf((text, values) => db.query(text, values))) !== 'distributed') {
      await db.query(
        'CREATE POLICY tenants_with_work ON document_previews FOR SELECT TO CURRENT_USER USING (true)',
      );
    }
    const exists = (condition: string): string =>
      `EXISTS (SELECT FROM document_previews p WHERE p.tenant_id = r.tenant_id AND ${condition})`;
    await db.query(`
      CREATE FUNCTION tenants_with_expired_document_previews(before timestamptz) RETURNS SETOF uuid
        LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp
      AS $$ BEGIN
        RETURN QUERY SELECT r.tenant_id FROM roles r
          WHERE r.key = 'administrator'
            AND (${exists('p.image IS NULL AND p.created_at <= before')}
              OR ${exists(`p.created_at <= before - interval '29 days'`)});
      END $$`);
    await db.query('REVOKE ALL ON FUNCTION tenants_with_expired_document_previews FROM PUBLIC');
    await db.query('GRANT EXECUTE ON FUNCTION tenants_with_expired_document_previews TO filing_service_role');
  }
}
