import type pg from 'pg';

/**
 * Runs `work` without foreign key checks. With `rebuildIndexes`, drops the indexes that belong to no constraint and creates
 * them afterwards, which is much faster than updating them row by row.
 */
export async function bulkLoad(
  client: pg.Client,
  tables: readonly string[],
  options: { readonly rebuildIndexes: boolean },
  work: () => Promise<void>,
): Promise<void> {
  await client.query(`SET session_replication_role = replica; SET synchronous_commit = off;
    SET maintenance_work_mem = '512MB'; SET work_mem = '64MB'`);
  const indexes = options.rebuildIndexes ? await indexesOf(client, tables) : [];
  for (const { name } of indexes) await client.query(`DROP INDEX ${name}`);
  await work();
  for (const { definition } of indexes) await client.query(definition);
  await client.query('RESET session_replication_role; RESET synchronous_commit; RESET work_mem');
  // Creates statistics and the visibility map, as in a database that has run for some time.
  await client.query(`VACUUM (ANALYZE) ${tables.join(', ')}`);
}

async function indexesOf(
  client: pg.Client,
  tables: readonly string[],
): Promise<{ name: string; definition: string }[]> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `SELECT i.indexname AS name, i.indexdef AS definition FROM pg_indexes i
      WHERE i.schemaname = 'public' AND i.tablename = ANY ($1)
        AND NOT EXISTS (SELECT FROM pg_constraint c WHERE c.conname = i.indexname)`,
    [tables],
  );
  return rows;
}
