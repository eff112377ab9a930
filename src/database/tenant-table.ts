import { type QueryRunner } from 'typeorm';

/** The condition of the tenant wall. After a transaction the setting reads '' rather than NULL, hence nullif. */
export const TENANT_CONDITION = `tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid`;

/**
 * Puts a new table behind the tenant wall: row level security, forced on its owner too, with the one policy that
 * every tenant table has, and the given privileges for the serving role. Migrations call it for each table they make.
 */
export async function tenantTable(db: QueryRunner, table: string, privileges: string): Promise<void> {
  await db.query(`ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY`);
  await db.query(`ALTER TABLE ${table} FORCE ROW LEVEL SECURITY`);
  await db.query(`CREATE POLICY tenant_wall ON ${table} USING (${TENANT_CONDITION}) WITH CHECK (${TENANT_CONDITION})`);
  await db.query(`GRANT ${privileges} ON ${table} TO filing_service_role`);
}
