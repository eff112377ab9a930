import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Tables that the view reads as its owner. */
const TABLES = ['members', 'roles', 'expected_members'];

const USER = `nullif(current_setting('app.user_id', true), '')::uuid`;
const EMAIL_KEY = `nullif(current_setting('app.user_email_key', true), '')`;

/**
 * View of the tenants that the user of the transaction has access to, with the user's role. Includes tenants in which
 * the user is an expected member, who becomes a member at the first request. The policies for the service role do not
 * change. It can read across tenants only through this view, and only the rows of one user (docs/adr/0032).
 */
export class OwnTenants1795392300000 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    for (const table of TABLES)
      await db.query(`CREATE POLICY own_tenants ON ${table} FOR SELECT TO CURRENT_USER USING (true)`);
    await db.query('CREATE INDEX ix_members_user ON members (user_id, tenant_id) INCLUDE (role_id)');
    await db.query(
      'CREATE INDEX ix_expected_members_email_key ON expected_members (email_key, tenant_id) INCLUDE (role_id)',
    );
    await db.query(`
      CREATE VIEW own_tenants WITH (security_barrier) AS
        SELECT o.tenant_id, r.id AS role_id, r.key AS role_key, r.name AS role_name
          FROM (SELECT m.tenant_id, m.role_id FROM members m WHERE m.user_id = ${USER}
                UNION ALL
                SELECT e.tenant_id, e.role_id FROM expected_members e
                 WHERE e.email_key = ${EMAIL_KEY}
                   AND NOT EXISTS (SELECT FROM members m WHERE m.tenant_id = e.tenant_id AND m.user_id = ${USER})) o
          JOIN roles r ON r.tenant_id = o.tenant_id AND r.id = o.role_id`);
    await db.query('GRANT SELECT ON own_tenants TO filing_service_role');
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP VIEW own_tenants');
    await db.query('DROP INDEX ix_expected_members_email_key, ix_members_user');
    for (const table of TABLES) await db.query(`DROP POLICY own_tenants ON ${table}`);
  }
}
