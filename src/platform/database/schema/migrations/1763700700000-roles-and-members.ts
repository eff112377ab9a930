import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { caseFold } from '../../../../common/text.js';

/** Columns and indexes for lists of roles and members by name; access lists contain members only. */
export class RolesAndMembers1763700700000 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    // Sort key of users in lists: display name, else address, else subject, case-folded.
    await db.query('ALTER TABLE users ADD COLUMN name_key text');
    const users = (await db.query(
      'SELECT id, coalesce(display_name, email, subject) AS name FROM users',
    )) as { id: string; name: string }[];
    await db.query(
      'UPDATE users u SET name_key = n.key FROM unnest($1::uuid[], $2::text[]) AS n (id, key) WHERE u.id = n.id',
      [users.map(({ id }) => id), users.map(({ name }) => caseFold(name))],
    );
    await db.query('ALTER TABLE users ALTER COLUMN name_key SET NOT NULL');

    await db.query('CREATE INDEX ix_roles_name ON roles (tenant_id, name_key COLLATE "und-x-icu", id)');

    // The foreign key locks the membership until the commit. Ending the membership waits, and then finds every list
    // entry.
    await db.query(`
      ALTER TABLE document_confidential_users
        ADD CONSTRAINT fk_document_confidential_users_member
        FOREIGN KEY (tenant_id, user_id) REFERENCES members (tenant_id, user_id)`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(
      'ALTER TABLE document_confidential_users DROP CONSTRAINT fk_document_confidential_users_member',
    );
    await db.query('DROP INDEX ix_roles_name');
    await db.query('ALTER TABLE users DROP COLUMN name_key');
  }
}
