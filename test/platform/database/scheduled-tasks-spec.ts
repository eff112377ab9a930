import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type DataSource } from 'typeorm';
import { openDatabase } from '../../../src/application.js';
import { loadConfiguration } from '../../../src/platform/config/configuration.js';
import { ScheduledTasks } from '../../../src/platform/database/scheduled-tasks.js';
import { type TestDatabase, createTestDatabase } from '../../support/database.js';
import { LONG_DATABASE_TIMEOUTS, waitUntil } from '../../support/wait-until.js';

const LOCK = 4711;

describe('ScheduledTasks', () => {
  let database: TestDatabase;
  let dataSource: DataSource;
  let logged: string[];
  let instances: ScheduledTasks[];
  beforeAll(async () => {
    database = await createTestDatabase();
    dataSource = await openDatabase(
      loadConfiguration({ OIDC_ISSUER: 'http://127.0.0.1', ...LONG_DATABASE_TIMEOUTS }),
      database.serviceUrl,
    );
  });
  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });
  beforeEach(() => {
    logged = [];
    instances = [];
  });
  afterEach(async () => {
    for (const instance of instances) await instance.beforeApplicationShutdown();
  });

  const instance = () => {
    const tasks = new ScheduledTasks(dataSource, {
      error: (fields, message) => logged.push(`${message}: ${JSON.stringify(fields)}`),
    });
    instances.push(tasks);
    return tasks;
  };
  const task = (run: (signal: AbortSignal) => Promise<void>, everyMs = 60_000, lock = LOCK) => ({
    name: 'tidy',
    lock,
    everyMs,
    run,
  });

  it('runs a task at start, and again after the interval', async () => {
    let runs = 0;
    const tasks = instance();
    tasks.add(task(async () => void (runs += 1), 30));
    tasks.onApplicationBootstrap();
    await waitUntil(() => runs >= 3);
    await tasks.beforeApplicationShutdown();
    const after = runs;
    await sleep(100);
    expect(runs).toBe(after);
    expect(logged).toEqual([]);
  });

  it('runs a task on one instance at a time, and never twice at the same time', async () => {
    let [running, most, runs] = [0, 0, 0];
    const busy = async () => {
      running += 1;
      most = Math.max(most, running);
      await sleep(40);
      running -= 1;
      runs += 1;
    };
    for (const tasks of [instance(), instance(), instance()]) {
      tasks.add(task(busy, 10));
      tasks.onApplicationBootstrap();
    }
    await waitUntil(() => runs >= 5);
    expect(most).toBe(1);
  });

  it('runs tasks with different locks at the same time', async () => {
    const begun = new Set<string>();
    const tasks = instance();
    for (const [name, lock] of [
      ['one', LOCK],
      ['two', LOCK + 1],
    ] as const) {
      tasks.add(
        task(
          async () => {
            begun.add(name);
            await waitUntil(() => begun.size === 2);
          },
          60_000,
          lock,
        ),
      );
    }
    tasks.onApplicationBootstrap();
    await waitUntil(() => begun.size === 2);
  });

  it('releases the lock and logs the error when a run fails', async () => {
    let runs = 0;
    const tasks = instance();
    tasks.add(
      task(async () => {
        runs += 1;
        throw new Error('no luck');
      }, 20),
    );
    tasks.onApplicationBootstrap();
    await waitUntil(() => runs >= 2);
    expect(logged[0]).toMatch(/^scheduled task failed: .*"task":"tidy"/);
  });

  it('aborts a running task when the service stops, and waits for it', async () => {
    let [begun, ended] = [false, false];
    const tasks = instance();
    tasks.add(
      task(async (signal) => {
        begun = true;
        await waitUntil(() => signal.aborted);
        await sleep(50);
        ended = true;
      }),
    );
    tasks.onApplicationBootstrap();
    await waitUntil(() => begun);
    await tasks.beforeApplicationShutdown();
    expect(ended).toBe(true);
    expect(logged).toEqual([]);
  });

  it('uses no connection of the pool for the lock', async () => {
    const connections = async () =>
      (
        await dataSource.query<{ name: string }[]>(
          `SELECT application_name AS name FROM pg_stat_activity WHERE datname = current_database()`,
        )
      ).map(({ name }) => name);
    const seen: string[][] = [];
    const tasks = instance();
    tasks.add(task(async () => void seen.push(await connections())));
    tasks.onApplicationBootstrap();
    await waitUntil(() => seen.length > 0);
    await tasks.beforeApplicationShutdown();
    expect(seen[0]?.filter((name) => name === 'filing-service task')).toHaveLength(1);
    expect(await connections()).not.toContain('filing-service task');
  });
});
