import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Adds the content version to audit entries of downloads: the title in the summary does not identify the version. */
export class AuditedContentVersion1795392500000 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE audit_entries ADD COLUMN content_version integer');
    await db.query('GRANT INSERT (content_version) ON audit_entries TO filing_service_role');
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE audit_entries DROP COLUMN content_version');
  }
}
