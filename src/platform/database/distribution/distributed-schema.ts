import type pg from 'pg';

export type Query = <R extends object>(text: string, values?: unknown[]) => Promise<R[]>;

export function queryOf(client: pg.Client): Query {
  return async <R extends object>(text: string, values?: unknown[]) =>
    (await client.query<R>(text, values)).rows;
}

/** Copied to every node: rows of all tenants refer to them, or they are read before the tenant is known. */
export const REFERENCE_TABLES: readonly string[] = ['users', 'tenants', 'tenant_slugs', 'service_secrets'];

/** Distributed first. All other tables with a column `tenant_id` are colocated with it. */
const FIRST_TABLE = 'roles';

/** Foreign keys that `distribute` has dropped and not created again. Exists only until it has ended. */
export const DROPPED_FOREIGN_KEYS = 'distribution_foreign_keys';

export type Distribution = 'none' | 'interrupted' | 'distributed';

/** Whether `distribute` has turned the schema into one that Citus distributes. Throws nothing without Citus. */
export async function distributionOf(query: Query): Promise<Distribution> {
  const [found] = await query<{ hasCitus: boolean; isInterrupted: boolean }>(
    `SELECT to_regclass('pg_catalog.pg_dist_partition') IS NOT NULL AS "hasCitus",
            to_regclass('public.${DROPPED_FOREIGN_KEYS}') IS NOT NULL AS "isInterrupted"`,
  );
  if (found?.isInterrupted) return 'interrupted';
  return found?.hasCitus && (await isDistributed(query, FIRST_TABLE)) ? 'distributed' : 'none';
}

export async function isDistributed(query: Query, table: string): Promise<boolean> {
  const rows = await query('SELECT FROM pg_dist_partition WHERE logicalrelid = to_regclass($1)', [table]);
  return rows.length > 0;
}

/** Number of shards of each distributed table. */
export async function shardsOf(query: Query): Promise<number> {
  const [row] = await query<{ shards: number }>(
    'SELECT count(*)::int AS shards FROM pg_dist_shard WHERE logicalrelid = to_regclass($1)',
    [FIRST_TABLE],
  );
  return row?.shards ?? 0;
}

/**
 * Distributes a table by `tenant_id`, or adds a table without tenant to every node.
 *
 * Row-level security is then not forced on the table. It still applies to the service role, which owns nothing. A forced
 * one would also apply to the owner, as whose member Citus writes the changes of a shard that moves; PostgreSQL refuses
 * these, and the move would never end. Citus also checks the foreign keys of a moved shard as the owner.
 */
export async function distributeTable(
  query: Query,
  table: string,
  kind: 'tenant' | 'reference',
): Promise<void> {
  const first = table === FIRST_TABLE ? 'none' : FIRST_TABLE;
  await query(`ALTER TABLE ${table} NO FORCE ROW LEVEL SECURITY`);
  await query(
    kind === 'reference'
      ? `SELECT create_reference_table('${table}')`
      : `SELECT create_distributed_table('${table}', 'tenant_id', colocate_with => '${first}')`,
  );
}

/** Tables of the schema with a column `tenant_id`, without those that are copied to every node. */
export async function tenantTables(query: Query, referenceTables: readonly string[]): Promise<string[]> {
  const rows = await query<{ name: string }>(
    `SELECT c.relname AS name
       FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'tenant_id' AND NOT a.attisdropped
      WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND c.relname <> ALL ($1::text[])
      ORDER BY c.relname <> '${FIRST_TABLE}', c.relname`,
    [referenceTables],
  );
  return rows.map(({ name }) => name);
}
