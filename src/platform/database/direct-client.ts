import pg from 'pg';
import { type DataSource } from 'typeorm';
import { SHORT_STATEMENT_LIMITS, limitOptions } from './connections/session-limits.js';
import { directUrlOf } from './data-source.js';

/** For a connection that is idle for long. By default, the first keepalive is sent after two hours. */
export const KEEPALIVE: pg.ClientConfig = { keepAlive: true, keepAliveInitialDelayMillis: 15_000 };

/**
 * A connection, not yet opened, for what needs a session: advisory locks and LISTEN. It is none of the pool for requests,
 * and does not lead through a connection pooler, where it would occupy a server connection. Its loss only ends it.
 */
export function directClient(dataSource: DataSource, name: string, options: pg.ClientConfig = {}): pg.Client {
  const client = new pg.Client({
    connectionString: directUrlOf(dataSource),
    application_name: `filing-service ${name}`,
    connectionTimeoutMillis: 10_000,
    options: limitOptions(SHORT_STATEMENT_LIMITS),
    ...options,
  });
  client.on('error', () => undefined);
  return client;
}

/**
 * Tries to take a lock until the end of the transaction.
 *
 * @param key SQL of its key, without parameters, so that pg uses the simple protocol. The extended protocol would keep a
 *   snapshot open while the lock is held, and vacuum could not remove dead rows.
 */
export async function tryLock(client: pg.Client, key: number | string): Promise<boolean> {
  const sql = `SELECT pg_try_advisory_xact_lock(${key}) AS locked`;
  return (await client.query<{ locked: boolean }>(sql)).rows[0]?.locked ?? false;
}
