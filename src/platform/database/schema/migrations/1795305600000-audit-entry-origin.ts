import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Lets the database ensure the actor and the time of audit entries. The service role cannot set times. It can add
 * entries only for the actor of the transaction, or entries without actor in a transaction without one. The serving
 * role can set another actor first, so this prevents mistakes of the service, not SQL injection (docs/adr/0003).
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
    // Content and time of a notification cannot be changed afterwards.
    await db.query('REVOKE INSERT, UPDATE ON notifications FROM filing_service_role');
    await db.query(
      `GRANT INSERT (tenant_id, id, user_id, type, parameters, document_id, file_id), UPDATE (read_at)
          ON notifications TO filing_service_role`,
    );
  }

  async down(db: QueryRunner): Promise<void> {
    // Revoked first, because a grant on the table does not remove the grants on its columns.
    await db.query('REVOKE INSERT, UPDATE ON notifications FROM filing_service_role');
    await db.query('GRANT INSERT, UPDATE ON notifications TO filing_service_role');
    await db.query('DROP POLICY actor_of_transaction ON audit_entries');
    await db.query('REVOKE INSERT ON audit_entries FROM filing_service_role');
    await db.query('GRANT INSERT ON audit_entries TO filing_service_role');
  }
}
