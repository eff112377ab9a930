import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Which version of a content an entry about a download is about: the title in its summary may change meanwhile. */
export class AuditedContentVersion1795392500000 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE audit_entries ADD COLUMN content_version integer');
    await db.query('GRANT INSERT (content_version) ON audit_entries TO filing_service_role');
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE audit_entries DROP COLUMN content_version');
  }
}
