import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type DataSource } from 'typeorm';
import { HELD_LOCK_SEED } from './advisory-locks.js';
import { SHORT_STATEMENT_LIMITS, limitOptions } from './connections/session-limits.js';
import { directClient, tryLock } from './direct-client.js';

const RETRY_MS = 250;
/** Then the server ends the connection, also if the machine of the holder has been lost. */
const LIMITS = limitOptions({ ...SHORT_STATEMENT_LIMITS, idleInTransactionMs: 120_000 });

/**
 * Acquires an advisory lock and returns the function that releases it; null when `mayWait` returns false before the lock
 * is free. The lock is held for up to two minutes, in a transaction on a connection of its own. PostgreSQL
 * releases it when the connection ends for any reason.
 */
export async function holdLock(
  dataSource: DataSource,
  name: string,
  mayWait: () => boolean,
): Promise<(() => Promise<void>) | null> {
  const client = directClient(dataSource, 'lock', { options: LIMITS });
  const release = (): Promise<void> => client.end().catch(() => undefined);
  const key = `hashtextextended(${pg.escapeLiteral(name)}, ${HELD_LOCK_SEED})`;
  const attempt = () => tryLock(client, key);
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
