import pg from 'pg';
import { CITUS_SETTINGS, startOptions } from '../connections/session-limits.js';
import { ADVISORY_LOCKS } from '../advisory-locks.js';

/** The process prints the message and stops. */
export class DatabaseSetupError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'DatabaseSetupError';
  }
}

/** Group role that migrations grant privileges to. The service role is a member of it. */
export const SERVICE_GROUP = 'filing_service_role';

/**
 * Runs `work` on a connection of the owner, under the lock that all instances take before they change roles or
 * schema.
 */
export async function withSetupLock<T>(
  ownerUrl: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = setupClient(ownerUrl);
  try {
    await client.connect();
    await client.query('SELECT pg_advisory_lock($1)', [ADVISORY_LOCKS.setup]);
  } catch (error) {
    await client.end().catch(() => undefined);
    throw new DatabaseSetupError(`The database cannot be reached: ${(error as Error).message}.`, {
      cause: error,
    });
  }
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/**
 * A client with an error listener: without one, a lost connection would end the process. The pending query rejects
 * anyway.
 */
export function setupClient(url: string): pg.Client {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'filing-service setup',
    options: startOptions(CITUS_SETTINGS),
  });
  return client.on('error', () => undefined);
}

export async function ensureServiceGroup(client: pg.Client): Promise<void> {
  const { rowCount } = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [SERVICE_GROUP]);
  if (rowCount) return;
  try {
    await client.query(
      `CREATE ROLE ${SERVICE_GROUP} NOLOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOBYPASSRLS`,
    );
  } catch (error) {
    const { code } = error as pg.DatabaseError;
    if (code === '42710' || code === '23505') return; // Another start has just created it, for another database of this server.
    throw new DatabaseSetupError(
      `The role of DATABASE_URL is not allowed to create roles. Give it CREATEROLE, or create the role ${SERVICE_GROUP} yourself.`,
      { cause: error },
    );
  }
}
