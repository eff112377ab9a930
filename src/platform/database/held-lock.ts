import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type DataSource } from 'typeorm';
import { HELD_LOCK_SEED } from './advisory-locks.js';
import { SHORT_STATEMENT_LIMITS, limitOptions } from './connections/session-limits.js';
import { directUrlOf } from './data-source.js';

const RETRY_MS = 250;
/** Then the server ends the connection, also if the machine of the holder has been lost. */
const LIMITS = { ...SHORT_STATEMENT_LIMITS, idleInTransactionMs: 120_000 };

/**
 * Acquires an advisory lock and returns the function that releases it; null when `mayWait` returns false before the lock
 * is free. The lock is held for up to two minutes, in a transaction on a separate connection, not through a connection
 * pooler. PostgreSQL releases it when the connection ends for any reason.
 */
export async function holdLock(
  dataSource: DataSource,
  name: string,
  mayWait: () => boolean,
): Promise<(() => Promise<void>) | null> {
  const client = new pg.Client({
    connectionString: directUrlOf(dataSource),
    application_name: 'filing-service lock',
    connectionTimeoutMillis: 10_000,
    options: limitOptions(LIMITS),
  });
  client.on('error', () => undefined);
  const release = (): Promise<void> => client.end().catch(() => undefined);
  // No parameters, so that pg uses the simple protocol. The extended protocol would keep a snapshot open while the lock
  // is held, and vacuum could not remove dead rows.
  const key = `hashtextextended(${pg.escapeLiteral(name)}, ${HELD_LOCK_SEED})`;
  const sql = `SELECT pg_try_advisory_xact_lock(${key}) AS locked`;
  const attempt = async () => (await client.query<{ locked: boolean }>(sql)).rows[0]?.locked ?? false;
  let isHeld = false;
  try {
    await client.connect();
    await client.query('BEGIN');
    for (isHeld = await attempt(); !isHeld && mayWait(); isHeld = await attempt()) await sleep(RETRY_MS);
  } finally {
    if (!isHeld) await release();
  }
  return isHeld ? release : null;
}
