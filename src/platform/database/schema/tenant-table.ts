import { type QueryRunner } from 'typeorm';

/** The condition of the tenant wall. After a transaction the setting reads '' rather than NULL, hence nullif. */
const TENANT_CONDITION = `tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid`;

/**
 * Puts a new table behind the tenant wall: row level security, forced on its owner too, with the one policy that
 * every tenant table has, and the given privileges for the serving role. Migrations call it for each table they make.
 */
export async function tenantTable(db: QueryRunner, table: string, privileges: string): Promise<void> {
  await db.query(`ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY`);
  await db.query(`ALTER TABLE ${table} FORCE ROW LEVEL SECURITY`);
  await db.query(
    `CREATE POLICY tenant_wall ON ${table} USING (${TENANT_CONDITION}) WITH CHECK (${TENANT_CONDITION})`,
  );
  await db.query(`GRANT ${privileges} ON ${table} TO filing_service_role`);
}

/**
 * A view `<table>_search` on a tenant table for conditions that an index could serve but row level security keeps from
 * it: PostgreSQL lets no operator that is not leakproof (LIKE, @>, @@) near a row before the policy has let it pass,
 * and so near no index either. The view carries the same tenant condition as an ordinary one, and reads the table as
 * its owner, to whom a policy of its own opens it for reading; the serving role can read the view, not bypass the
 * wall on the table. See docs/adr/0007.
 */
export async function searchView(db: QueryRunner, table: string): Promise<void> {
  await db.query(`CREATE POLICY search_view ON ${table} FOR SELECT TO CURRENT_USER USING (true)`);
  await db.query(`CREATE VIEW ${table}_search AS SELECT * FROM ${table} WHERE ${TENANT_CONDITION}`);
  await db.query(`GRANT SELECT ON ${table}_search TO filing_service_role`);
}
