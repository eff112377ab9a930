import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Indexes for rows whose retention period has ended: documents in the bin, and notifications. */
export class Retention1763701400000 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(
      `CREATE INDEX ix_documents_bin ON documents (tenant_id, deleted_at, id) WHERE status = 'Deleted'`,
    );
    await db.query('CREATE INDEX ix_notifications_created ON notifications (tenant_id, created_at)');
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP INDEX ix_notifications_created');
    await db.query('DROP INDEX ix_documents_bin');
  }
}
