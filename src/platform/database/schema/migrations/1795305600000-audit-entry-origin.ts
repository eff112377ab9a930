import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Who did what, and when, is the database's to say where it can: the serving role sets no times, and records an entry only
 * for the actor of the transaction, or for the service itself in a transaction without one. Whoever has the role can set
 * another actor first, so this guards against mistakes of the service, not against foreign SQL (docs/adr/0003).
 */
export class AuditEntryOrigin1795305600000 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query('REVOKE INSERT ON audit_entries FROM filing_service_role');
    await db.query(
      `GRANT INSERT (tenant_id, id, actor_id, actor_name, action, subject_type, subject_id, summary)
          ON audit_entries TO filing_service_role`,
    );
    await db.query(
      `CREATE POLICY actor_of_transaction ON audit_entries AS RESTRICTIVE FOR INSERT
         WITH CHECK (actor_id IS NOT DISTINCT FROM nullif(current_setting('app.actor_id', true), '')::uuid)`,
    );
    // What a notification says, and when, is not changed afterwards.
    await db.query('REVOKE INSERT, UPDATE ON notifications FROM filing_service_role');
    await db.query(
      `GRANT INSERT (tenant_id, id, user_id, type, parameters, document_id, file_id), UPDATE (read_at)
          ON notifications TO filing_service_role`,
    );
  }

  async down(db: QueryRunner): Promise<void> {
    // Revoked first, because the grant of a table leaves those of its columns.
    await db.query('REVOKE INSERT, UPDATE ON notifications FROM filing_service_role');
    await db.query('GRANT INSERT, UPDATE ON notifications TO filing_service_role');
    await db.query('DROP POLICY actor_of_transaction ON audit_entries');
    await db.query('REVOKE INSERT ON audit_entries FROM filing_service_role');
    await db.query('GRANT INSERT ON audit_entries TO filing_service_role');
  }
}
