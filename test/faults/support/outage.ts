import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { type MixedWrites } from './mixed-writes.js';
import { type ServiceFixture } from '../../support/service/service-fixture.js';
import { checkContentStore, checkStoredWrites, formatSpread } from './stored-writes.js';

/** Limits the number of contents that wait for processing. */
const PAUSE_MS = 20;
const WAIT_TIMEOUT_MS = 600_000;
/**
 * Recovery takes less than 5 s on an idle machine. Here the clients, the service, the extraction and the recovering
 * database share the machine.
 */
const RECOVERY_MS = 120_000;

export interface Outage {
  /** For the report: `immediate stops of the database`. */
  readonly name: string;
  /** Ends the server at once. */
  stop(): Promise<void>;
  /** Resolves when the server accepts connections. */
  start(): Promise<void>;
}

/**
 * Runs a service with concurrent writes, and stops and starts what its database connections need. Expects 503 during the
 * outage, and afterwards every acknowledged write, without a restart of the service.
 */
export async function checkOutages(
  fixture: ServiceFixture,
  writes: MixedWrites,
  outage: Outage,
  { clients, rounds }: { readonly clients: number; readonly rounds: number },
): Promise<void> {
  async function waitUntil(condition: () => boolean | Promise<boolean>, what: string): Promise<void> {
    for (const begin = Date.now(); !(await condition()); await sleep(5)) {
      // A client whose connection failed would not continue.
      expect(writes.failures).toEqual([]);
      if (Date.now() - begin > WAIT_TIMEOUT_MS) throw new Error(`Timed out waiting for: ${what}`);
    }
  }

  const processing = async () => {
    const { rows } = await fixture.owner.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM documents WHERE status = 'Processing'`,
    );
    return rows[0]!.count;
  };

  /** Waits for all documents. The time limit applies to each document, not to all of them. */
  async function waitUntilProcessed(): Promise<void> {
    for (let left = await processing(); left > 0;) {
      let now = left;
      await waitUntil(
        async () => (now = await processing()) < left,
        `processing one of ${left} remaining documents`,
      );
      left = now;
    }
  }

  // The recovery must work with the default time limits.
  const service = fixture.start('main', {
    DATABASE_ACQUIRE_TIMEOUT_MS: '5000',
    DATABASE_STATEMENT_TIMEOUT_MS: '30000',
  });
  const url = await service.url();
  const { pid } = service;
  await writes.begin(url);
  const over = new AbortController();
  const running = writes.run(url, { until: over.signal, pauseMs: PAUSE_MS });
  // One connection per request: a reused connection might just be closing.
  const statusOf = async (path: string) =>
    (await fetch(`${url}${path}`, { headers: { Connection: 'close' } })).status;
  let liveAnswers = 0;
  const livenessChecks = (async () => {
    for (; !over.signal.aborted; await sleep(100)) {
      expect(await statusOf('/livez')).toBe(200);
      liveAnswers += 1;
    }
  })();
  const recoveries: number[] = [];
  try {
    for (let round = 0; round < rounds; round += 1) {
      await writes.waitForMore(50 + Math.floor(Math.random() * 200));
      const earlierErrors = writes.errorAnswers.length;
      await outage.stop();
      await waitUntil(
        () => writes.errorAnswers.length >= earlierErrors + 2 * clients,
        'error answers for all clients',
      );
      expect(await statusOf('/readyz')).toBe(503);
      await sleep(Math.random() * 2000);
      await outage.start();
      const ready = Date.now();
      await waitUntil(
        () => writes.lastAcknowledgedAt.filter((at) => at > ready).length === clients,
        'acknowledged writes of all clients',
      );
      // The recovery ends with the last error answer or the first acknowledged write, whichever is later.
      const last = Math.max(ready, ...writes.errorAnswers.slice(earlierErrors).map(({ at }) => at));
      const first = Math.min(...writes.lastAcknowledgedAt.filter((at) => at > ready));
      recoveries.push(Math.max(last, first) - ready);
      await waitUntil(async () => (await statusOf('/readyz')) === 200, '/readyz to return 200');
      await checkStoredWrites(fixture, writes);
    }
  } finally {
    over.abort();
    await running;
    await livenessChecks;
  }
  expect(writes.failures).toEqual([]);
  const other = writes.errorAnswers.filter(
    ({ status, type, retryAfter }) =>
      status !== 503 || type !== '/problems/service.unavailable' || !(Number(retryAfter) > 0),
  );
  expect(other).toEqual([]);
  expect(Math.max(...recoveries)).toBeLessThan(RECOVERY_MS);
  await writes.retryPending(url);
  await writes.repeatLatest(url);
  // The job queue has recovered, too.
  await waitUntilProcessed();
  await checkStoredWrites(fixture, writes);
  await writes.checkContents(url, writes.acknowledged);
  await checkContentStore(fixture);
  expect(service.pid).toBe(pid);
  process.stderr.write(
    `${rounds} ${outage.name}: ${writes.acknowledged.length} writes acknowledged, ${writes.errorAnswers.length} ` +
      `answered 503, ${liveAnswers} liveness checks passed; recovered ${formatSpread(recoveries)} after the server accepted connections\n`,
  );
  service.signal('SIGTERM');
  expect(await service.exit).toBe(0);
}
