import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * What previews have shown of a content, so that it is not tried again for each page, and whether a preview is legible
 * (docs/adr/0045). Previews from before are handled as legible.
 */
export class PreviewCosts1795652600000 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      ALTER TABLE contents ADD COLUMN previewer text, ADD COLUMN preview_pages integer,
        ADD COLUMN preview_failed_at timestamptz(3)`);
    await db.query(
      'ALTER TABLE contents ADD CONSTRAINT ck_contents_preview_pages CHECK (preview_pages >= 1)',
    );
    await db.query('ALTER TABLE document_previews ADD COLUMN is_legible boolean NOT NULL DEFAULT true');
    await db.query('GRANT UPDATE (is_legible) ON document_previews TO filing_service_role');
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE document_previews DROP COLUMN is_legible');
    await db.query(
      'ALTER TABLE contents DROP COLUMN preview_failed_at, DROP COLUMN preview_pages, DROP COLUMN previewer',
    );
  }
}
