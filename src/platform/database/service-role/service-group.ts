import type pg from 'pg';
import { DatabaseSetupError, SERVICE_GROUP } from './service-role.js';
import { ensureRoleOnWorkers } from './worker-roles.js';

const OPTIONS = 'NOLOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOBYPASSRLS';

/** Creates the role that migrations grant privileges to, also on the workers of a Citus cluster. */
export async function ensureServiceGroup(client: pg.Client): Promise<void> {
  const { rowCount } = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [SERVICE_GROUP]);
  if (!rowCount) await create(client);
  await ensureRoleOnWorkers(client, SERVICE_GROUP, OPTIONS);
}

async function create(client: pg.Client): Promise<void> {
  try {
    await client.query(`CREATE ROLE ${SERVICE_GROUP} ${OPTIONS}`);
  } catch (error) {
    const { code } = error as pg.DatabaseError;
    if (code === '42710' || code === '23505') return; // Another start has just created it, for another database of this server.
    const reason =
      code === '42501'
        ? `The role of DATABASE_URL is not allowed to create roles. Give it CREATEROLE, or create the role ${SERVICE_GROUP} yourself.`
        : `The role ${SERVICE_GROUP} cannot be created: ${(error as Error).message}.`;
    throw new DatabaseSetupError(reason, { cause: error });
  }
}
