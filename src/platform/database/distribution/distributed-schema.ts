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

/** Number of shards of each distributed table. */
export async function shardsOf(query: Query): Promise<number> {
  const [row] = await query<{ shards: number }>(
    'SELECT count(*)::int AS shards FROM pg_dist_shard WHERE logicalrelid = to_regclass($1)',
    [FIRST_TABLE],
  );
  return row?.shards ?? 0;
}

/**
 * Distributes a table by `tenant_id`, or adds a table without tenant to every node. Call it in a transaction.
 *
 * When Citus moves a shard, it checks the foreign keys as the owner of the tables. The owner therefore gets a policy for
 * reading: rows that row level security hides would violate the keys.
 */
export async function distributeTable(
  query: Query,
  table: string,
  kind: 'tenant' | 'reference',
): Promise<void> {
  const first = table === FIRST_TABLE ? 'none' : FIRST_TABLE;
  await withVisibleRows(query, [table], async (wasForced) => {
    if (wasForced)
      await query(`CREATE POLICY owner_reads ON ${table} FOR SELECT TO CURRENT_USER USING (true)`);
    await query(
      kind === 'reference'
        ? `SELECT create_reference_table('${table}')`
        : `SELECT create_distributed_table('${table}', 'tenant_id', colocate_with => '${first}')`,
    );
  });
}

/**
 * Runs `work` with row level security not forced on the tables. Otherwise it would hide their rows from the owner, also
 * when PostgreSQL checks the rows for a new foreign key. Call it in a transaction.
 */
export async function withVisibleRows(
  query: Query,
  tables: readonly string[],
  work: (wasForced: boolean) => Promise<unknown>,
): Promise<void> {
  const forced = await query<{ name: string }>(
    `SELECT t.name FROM unnest($1::text[]) AS t (name) JOIN pg_class c ON c.oid = to_regclass(t.name)
      WHERE c.relforcerowsecurity`,
    [tables],
  );
  for (const { name } of forced) await query(`ALTER TABLE ${name} NO FORCE ROW LEVEL SECURITY`);
  await work(forced.length > 0);
  for (const { name } of forced) await query(`ALTER TABLE ${name} FORCE ROW LEVEL SECURITY`);
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
