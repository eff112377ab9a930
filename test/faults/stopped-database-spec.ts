import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { MixedWrites, emailsOf } from './support/mixed-writes.js';
import { RestartablePostgres } from './support/restartable-postgres.js';
import { ServiceFixture } from './support/service-fixture.js';
import { checkContentStore, checkStoredWrites, formatSpread } from './support/stored-writes.js';

const ROUNDS = Math.max(2, Math.ceil(Number(process.env.FAULT_ROUNDS ?? 20) / 4));
const CLIENTS = 20;
/** So that the contents, which are processed meanwhile, do not pile up. */
const PAUSE_MS = 20;
const WAIT_TIMEOUT_MS = 600_000;
/**
 * On a machine with time to spare it takes less than 5 s. Here clients, service, extraction and a database that has
 * just recovered share what there is.
 */
const RECOVERY_MS = 120_000;

jest.setTimeout(ROUNDS * 300_000 + 1_200_000);

describe(`The service under writes, its database stopped hard ${ROUNDS} times`, () => {
  let postgres: RestartablePostgres;
  let fixture: ServiceFixture;
  let writes: MixedWrites;
  beforeAll(async () => {
    postgres = await RestartablePostgres.create();
    fixture = await ServiceFixture.prepare({ emails: emailsOf(CLIENTS), database: postgres });
    writes = new MixedWrites(fixture, CLIENTS);
  }, 600_000);
  afterAll(async () => {
    writes.close();
    await fixture.cleanUp();
  });

  async function until(condition: () => boolean | Promise<boolean>, what: string): Promise<void> {
    for (const begin = Date.now(); !(await condition()); await sleep(5)) {
      // Who lost the service does not come back.
      expect(writes.failures).toEqual([]);
      if (Date.now() - begin > WAIT_TIMEOUT_MS) throw new Error(`It has not come to it that ${what}.`);
    }
  }

  const processing = async () => {
    const { rows } = await fixture.owner.query<{ count: number }>(
      `SELECT (SELECT count(*) FROM documents WHERE status = 'Processing')::int AS count`,
    );
    return rows[0]!.count;
  };

  /** However many there are and however long each takes, as long as it goes on. */
  async function processed(): Promise<void> {
    for (let left = await processing(); left > 0;) {
      let now = left;
      await until(
        async () => (now = await processing()) < left,
        `one of ${left} more documents is processed`,
      );
      left = now;
    }
  }

  it('answers 503 while it is away, goes on by itself, and has lost nothing', async () => {
    // It has to find its way back with the time limits that it has by default.
    const service = fixture.start('main', {
      DATABASE_ACQUIRE_TIMEOUT_MS: '5000',
      DATABASE_STATEMENT_TIMEOUT_MS: '30000',
    });
    const url = await service.url();
    const { pid } = service;
    await writes.begin(url);
    const over = new AbortController();
    const running = writes.run(url, { until: over.signal, pauseMs: PAUSE_MS });
    // Over a connection of its own each, which cannot end just when it is used again.
    const statusOf = async (path: string) =>
      (await fetch(`${url}${path}`, { headers: { Connection: 'close' } })).status;
    let alive = 0;
    const watching = (async () => {
      for (; !over.signal.aborted; await sleep(100)) {
        expect(await statusOf('/livez')).toBe(200);
        alive += 1;
      }
    })();
    const recoveries: number[] = [];
    try {
      for (let round = 0; round < ROUNDS; round += 1) {
        await writes.waitForMore(50 + Math.floor(Math.random() * 200));
        const refused = writes.errorAnswers.length;
        await postgres.stopImmediately();
        await until(() => writes.errorAnswers.length >= refused + 2 * CLIENTS, 'everybody is refused');
        expect(await statusOf('/readyz')).toBe(503);
        await sleep(Math.random() * 2000);
        await postgres.start();
        const ready = Date.now();
        await until(
          () => writes.lastAcknowledgedAt.filter((at) => at > ready).length === CLIENTS,
          'everybody is served again',
        );
        // Nobody was refused after this, of those who asked when the database was there again.
        const last = Math.max(ready, ...writes.errorAnswers.slice(refused).map(({ at }) => at));
        const first = Math.min(...writes.lastAcknowledgedAt.filter((at) => at > ready));
        recoveries.push(Math.max(last, first) - ready);
        await until(async () => (await statusOf('/readyz')) === 200, 'it says that it is ready');
        await checkStoredWrites(fixture, writes);
      }
    } finally {
      over.abort();
      await running;
      await watching;
    }
    // Nobody lost a connection to the service, and nobody was told anything else.
    expect(writes.failures).toEqual([]);
    const other = writes.errorAnswers.filter(
      ({ status, type, retryAfter }) =>
        status !== 503 || type !== '/problems/service.unavailable' || !(Number(retryAfter) > 0),
    );
    expect(other).toEqual([]);
    expect(Math.max(...recoveries)).toBeLessThan(RECOVERY_MS);
    await writes.retryPending(url);
    await writes.repeatLatest(url);
    // The job queue has found its way back, too.
    await processed();
    await checkStoredWrites(fixture, writes);
    await writes.checkContents(url, writes.acknowledged);
    await checkContentStore(fixture);
    expect(service.pid).toBe(pid);
    process.stderr.write(
      `${ROUNDS} hard stops of the database: ${writes.acknowledged.length} writes acknowledged, ${writes.errorAnswers.length} ` +
        `refused (503), ${alive} times alive; served again after ${formatSpread(recoveries)} from when it took connections\n`,
    );
    service.signal('SIGTERM');
    expect(await service.exit).toBe(0);
  });
});
