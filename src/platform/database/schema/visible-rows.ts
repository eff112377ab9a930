import { type Query } from '../distribution/distributed-schema.js';

/**
 * Runs `work` with the rows of all tenants visible to the owner of the tables. Forced row-level security hides them from
 * the owner: an UPDATE finds no rows, and a new foreign key is accepted although rows violate it. Call it in a transaction.
 */
export async function withVisibleRows<T>(
  query: Query,
  tables: readonly string[],
  work: () => Promise<T>,
): Promise<T> {
  // Row-level security is not forced in a distributed database (docs/adr/0035).
  const forced = await query<{ name: string }>(
    `SELECT t.name FROM unnest($1::text[]) AS t (name) JOIN pg_class c ON c.oid = to_regclass(t.name)
      WHERE c.relforcerowsecurity`,
    [tables],
  );
  for (const { name } of forced) await query(`ALTER TABLE ${name} NO FORCE ROW LEVEL SECURITY`);
  const result = await work();
  for (const { name } of forced) await query(`ALTER TABLE ${name} FORCE ROW LEVEL SECURITY`);
  return result;
}
