import pg from 'pg';
import { type DataSource } from 'typeorm';
import { SHORT_STATEMENT_LIMITS, limitOptions } from './connections/session-limits.js';
import { directUrlOf } from './data-source.js';

/**
 * A connection, not yet opened, for a transaction that holds advisory locks. It is none of the pool for requests, and does
 * not lead through a connection pooler, where it would occupy a server connection. Its loss only ends it.
 */
export function lockConnection(
  dataSource: DataSource,
  name: string,
  limits = SHORT_STATEMENT_LIMITS,
): pg.Client {
  const client = new pg.Client({
    connectionString: directUrlOf(dataSource),
    application_name: name,
    connectionTimeoutMillis: 10_000,
    options: limitOptions(limits),
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
