import { setTimeout as sleep } from 'node:timers/promises';
import { WAIT_TIMEOUT_MS } from './wait-until.js';
import { type TestService } from './service/service.js';

/**
 * Lets `meanwhile` run into a transaction that is under way: the statement has been run but is not committed until
 * somebody waits for a lock that it holds. Fails when nobody comes to wait.
 */
export async function duringTransaction<T>(
  service: TestService,
  statement: string,
  values: unknown[],
  meanwhile: () => PromiseLike<T>,
): Promise<T> {
  const client = await service.owner.connect();
  try {
    await client.query('BEGIN');
    await client.query(statement, values);
    const result = Promise.resolve(meanwhile());
    result.catch(() => undefined); // Looked at below; until then a refusal is nobody's.
    const waited = await waitForBlockedStatements(service);
    await client.query('COMMIT');
    const settled = await result;
    if (!waited) throw new Error('Nobody waited for the transaction.');
    return settled;
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
}

/** Ends every statement that waits for a lock, as its limit would some time later. */
export async function cancelLockWaits(service: TestService): Promise<void> {
  await service.query(
    `SELECT pg_cancel_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
}

/** Whether as many statements come to wait for locks before all patience is at its end. */
export async function waitForBlockedStatements(service: TestService, statements = 1): Promise<boolean> {
  for (const begin = Date.now(); Date.now() - begin < WAIT_TIMEOUT_MS; await sleep(10)) {
    const waiting = await service.query(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    if (waiting.length >= statements) return true;
  }
  return false;
}
