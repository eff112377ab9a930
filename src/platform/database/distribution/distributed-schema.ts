import type pg from 'pg';

export type Query = <R extends object>(text: string, values?: unknown[]) => Promise<R[]>;

export function queryOf(client: pg.Client): Query {
  return async <R extends object>(text: string, values?: unknown[]) =>
    (await client.query<R>(text, values)).rows;
}

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

/**
 * Distributes a table by `tenant_id`, or adds a table without tenant to every node. The owner's own rows would be
 * hidden by row level security while they are copied, so it is not forced meanwhile.
 */
export async function distributeTable(
  query: Query,
  table: string,
  kind: 'tenant' | 'reference',
): Promise<void> {
  const [row] = await query<{ isForced: boolean }>(
    'SELECT relforcerowsecurity AS "isForced" FROM pg_class WHERE oid = to_regclass($1)',
    [table],
  );
  if (row?.isForced) await query(`ALTER TABLE ${table} NO FORCE ROW LEVEL SECURITY`);
  const first = table === FIRST_TABLE ? 'none' : FIRST_TABLE;
  await query(
    kind === 'reference'
      ? `SELECT create_reference_table('${table}')`
      : `SELECT create_distributed_table('${table}', 'tenant_id', colocate_with => '${first}')`,
  );
  if (row?.isForced) await query(`ALTER TABLE ${table} FORCE ROW LEVEL SECURITY`);
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
