import pg from 'pg';
import { CITUS_SETTINGS, startOptions } from '../../src/platform/database/connections/session-limits.js';
import { type TestService } from './service/service.js';

/** A connection of the service role for statements of a test. On Citus, they may query all shards. */
export async function connectAsService({ database }: Pick<TestService, 'database'>): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: database.serviceUrl,
    options: startOptions({ ...CITUS_SETTINGS, 'citus.multi_task_query_log_level': 'off' }),
  });
  await client.connect();
  return client;
}

/** Sets `app.<name>` in the open transaction, on the workers of Citus too. */
export async function setLocal(client: pg.Client, settings: Record<string, string>): Promise<void> {
  for (const [name, value] of Object.entries(settings))
    await client.query(`SET LOCAL app.${name} TO ${pg.escapeLiteral(value)}`);
}

/** Tenants of the rows that the service role finds in `table` with these settings. */
export async function tenantsInRows(
  client: pg.Client,
  settings: Record<string, string>,
  table: string,
): Promise<string[]> {
  await client.query('BEGIN');
  await setLocal(client, settings);
  const { rows } = await client.query<{ tenant: string }>(`SELECT tenant_id AS tenant FROM ${table}`);
  await client.query('ROLLBACK');
  return rows.map(({ tenant }) => tenant);
}
