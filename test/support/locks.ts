import { expect } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDistributed } from './database.js';
import { WAIT_TIMEOUT_MS, waitUntil } from './wait-until.js';
import { type TestService } from './service/service.js';

/**
 * Runs `statement` in a transaction and starts `meanwhile` before the commit. Commits as soon as another statement
 * waits for a lock. Throws when none waits within the time limit.
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
    result.catch(() => undefined); // Awaited below; prevents an unhandled rejection until then.
    const waited = await waitForBlockedStatements(service);
    await client.query('COMMIT');
    const settled = await result;
    if (!waited) throw new Error('No statement waited for a lock of the transaction.');
    return settled;
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
}

/**
 * Sessions of the database, with their `id` for pg_cancel_backend. On Citus those of all nodes: a statement waits for a
 * lock on the node of its rows.
 */
const sessions = () =>
  isDistributed()
    ? `(SELECT global_pid AS id, query_start, wait_event_type FROM citus_stat_activity WHERE datname = current_database()) s`
    : `(SELECT pid AS id, query_start, wait_event_type FROM pg_stat_activity WHERE datname = current_database()) s`;

/**
 * Cancels every statement that waits for a lock, as its time limit would do later. Returns when none of them waits, so
 * that a wait after it is that of a later statement.
 */
export async function cancelLockWaits(service: TestService): Promise<void> {
  const waiting = () =>
    service.query<{ statement: string }>(
      `SELECT id || ' ' || query_start AS statement FROM ${sessions()} WHERE wait_event_type = 'Lock'`,
    );
  const cancelled = await service.query<{ statement: string }>(
    `SELECT id || ' ' || query_start AS statement, pg_cancel_backend(id) FROM ${sessions()} WHERE wait_event_type = 'Lock'`,
  );
  const ended = new Set(cancelled.map(({ statement }) => statement));
  await waitUntil(async () => !(await waiting()).some(({ statement }) => ended.has(statement)));
}

/** Number of statements that wait for locks. */
export async function countBlockedStatements(service: TestService): Promise<number> {
  return (await service.query(`SELECT FROM ${sessions()} WHERE wait_event_type = 'Lock'`)).length;
}

/** Waits until at least `statements` statements wait for locks. False when the time limit ends first. */
export async function waitForBlockedStatements(service: TestService, statements = 1): Promise<boolean> {
  for (const begin = Date.now(); Date.now() - begin < WAIT_TIMEOUT_MS; await sleep(10))
    if ((await countBlockedStatements(service)) >= statements) return true;
  return false;
}

/**
 * Runs `first` until it inserts a row that another transaction inserts, too; then runs `second`, which must wait for a
 * lock of the first one. Both end when the other transaction is rolled back.
 */
export async function inTurn<A, B>(
  service: TestService,
  row: { readonly sql: string; readonly values: unknown[] },
  first: () => PromiseLike<A>,
  second: () => PromiseLike<B>,
): Promise<[A, B]> {
  const client = await service.owner.connect();
  try {
    await client.query('BEGIN');
    await client.query(row.sql, row.values);
    const one = Promise.resolve(first());
    expect(await waitForBlockedStatements(service, 1)).toBe(true);
    const two = Promise.resolve(second());
    const waited = await waitForBlockedStatements(service, 2);
    await client.query('ROLLBACK');
    const both = await Promise.all([one, two]);
    expect(waited).toBe(true);
    return both;
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
}
