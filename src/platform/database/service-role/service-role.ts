import pg from 'pg';
import { CITUS_SETTINGS, startOptions } from '../connections/session-limits.js';
import { ADVISORY_LOCKS } from '../advisory-locks.js';

/** The process prints the message and stops. */
export class DatabaseSetupError extends Error {
  override readonly name = 'DatabaseSetupError';
}

/** The error of a step. Unless it already says what to do, its message gets a beginning. */
export function setupError(beginning: string, error: unknown): DatabaseSetupError {
  if (error instanceof DatabaseSetupError) return error;
  return new DatabaseSetupError(`${beginning}: ${(error as Error).message}.`, { cause: error });
}

/** SQLSTATE of errors of PgBouncer. */
const PROTOCOL_VIOLATION = '08P01';

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
    await connectDirectly(client);
    await client.query('SELECT pg_advisory_lock($1)', [ADVISORY_LOCKS.setup]);
  } catch (error) {
    await client.end().catch(() => undefined);
    throw setupError('The database cannot be reached', error);
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
 *
 * @param options in place of the settings that {@link connectDirectly} requires
 */
export function setupClient(
  url: string,
  options: pg.ClientConfig = { options: startOptions(CITUS_SETTINGS) },
): pg.Client {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'filing-service setup',
    ...options,
  });
  return client.on('error', () => undefined);
}

/**
 * Connects a {@link setupClient}. Throws a DatabaseSetupError for a connection pooler: it refuses or ignores the
 * settings that the client requests for its session, and an advisory lock would remain on the server's connection.
 */
export async function connectDirectly(client: pg.Client): Promise<void> {
  await client.connect().catch((error: pg.DatabaseError) => {
    const isRefused = error.code === PROTOCOL_VIOLATION && /startup parameter/i.test(error.message);
    throw isRefused ? poolerError(error) : error;
  });
  const names = Object.keys(CITUS_SETTINGS);
  const { rows } = await client.query<{ name: string; value: string | null }>(
    'SELECT name, current_setting(name, true) AS value FROM unnest($1::text[]) AS name',
    [names],
  );
  if (rows.some(({ name, value }) => value !== CITUS_SETTINGS[name])) throw poolerError();
}

function poolerError(cause?: Error): DatabaseSetupError {
  return new DatabaseSetupError(
    'The URL of the database leads through a connection pooler. Set DATABASE_DIRECT_URL to the URL of the owner role ' +
      'on the server itself, for migrations, locks and the job queue.',
    { cause },
  );
}
