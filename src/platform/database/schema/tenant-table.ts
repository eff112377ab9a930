import { type QueryRunner } from 'typeorm';
import { type Query, distributeTable, distributionOf } from '../distribution/distributed-schema.js';

/** After a transaction the setting is '' instead of NULL, hence nullif. */
const TENANT_ID = `nullif(current_setting('app.tenant_id', true), '')::uuid`;

/** Condition of the search views, and of the tenant isolation policy in a distributed database. */
export const TENANT_CONDITION = `tenant_id = ${TENANT_ID}`;

/**
 * Condition of the tenant isolation policy. PostgreSQL evaluates the subquery once for each statement; without it, each
 * time that a plan begins a scan, so for each row that is read by key (docs/adr/0003). Citus refuses subqueries in policies.
 */
export const TENANT_CONDITION_ONCE = `tenant_id = (SELECT ${TENANT_ID})`;

const POLICY = 'tenant_wall';

/** Changes the tenant isolation policy of all tenant tables. */
export async function alterTenantPolicies(query: Query, condition: string): Promise<void> {
  const tables = await query<{ name: string }>(
    `SELECT tablename AS name FROM pg_policies WHERE schemaname = 'public' AND policyname = '${POLICY}' ORDER BY name`,
  );
  for (const { name } of tables)
    await query(`ALTER POLICY ${POLICY} ON ${name} USING (${condition}) WITH CHECK (${condition})`);
}

/**
 * Sets up tenant isolation for a new table: row-level security, also for the owner, with the policy that every tenant
 * table has; and grants the privileges to the service role. Migrations call it for each tenant table that they
 * create. In a distributed database, it also distributes the table: create foreign keys to tables of tenants after it.
 */
export async function tenantTable(db: { query: Query }, table: string, privileges: string): Promise<void> {
  const query: Query = (text, values) => db.query(text, values);
  const distribution = await distributionOf(query);
  const condition = distribution === 'none' ? TENANT_CONDITION_ONCE : TENANT_CONDITION;
  await query(`ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY`);
  await query(`ALTER TABLE ${table} FORCE ROW LEVEL SECURITY`);
  await query(`CREATE POLICY ${POLICY} ON ${table} USING (${condition}) WITH CHECK (${condition})`);
  await query(`GRANT ${privileges} ON ${table} TO filing_service_role`);
  if (distribution === 'distributed') await distributeTable(query, table, 'tenant');
}

/**
 * Creates the view `<table>_search` on a tenant table, for conditions that need an index but cannot use one under row
 * level security: PostgreSQL evaluates operators that are not leakproof (LIKE, @>, @@) only after the policy
 * (docs/adr/0007).
 *
 * The view has the same tenant condition as an ordinary WHERE. It reads the table as its owner, who has a separate
 * policy for reading. The service role can read the view; on the table, row-level security still applies to it.
 */
export async function searchView(db: QueryRunner, table: string): Promise<void> {
  await db.query(`CREATE POLICY search_view ON ${table} FOR SELECT TO CURRENT_USER USING (true)`);
  await createSearchView(db, table, '*');
}

async function createSearchView(db: QueryRunner, table: string, columns: string): Promise<void> {
  await db.query(`CREATE VIEW ${table}_search AS SELECT ${columns} FROM ${table} WHERE ${TENANT_CONDITION}`);
  await db.query(`GRANT SELECT ON ${table}_search TO filing_service_role`);
}

/** Creates the view `<table>_search` again, with this column at its end, or without it. */
export async function changeSearchView(
  db: QueryRunner,
  table: string,
  change: { readonly add: string } | { readonly remove: string },
): Promise<void> {
  const found = (await db.query(
    'SELECT attname AS name FROM pg_attribute WHERE attrelid = to_regclass($1) AND attnum > 0 ORDER BY attnum',
    [`${table}_search`],
  )) as { name: string }[];
  const names = found.map(({ name }) => name);
  const columns = 'add' in change ? [...names, change.add] : names.filter((name) => name !== change.remove);
  await db.query(`DROP VIEW ${table}_search`);
  await createSearchView(db, table, columns.join(', '));
}
