import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type Job } from '../../../src/platform/jobs/job.js';
import { JobMetrics } from '../../../src/platform/jobs/job-metrics.js';
import { waitUntil } from '../../support/wait-until.js';
import { JobsFixture } from './jobs-fixture.js';

describe('The job queue', () => {
  let fixture: JobsFixture;
  beforeAll(async () => {
    fixture = await JobsFixture.start();
  });
  afterEach(() => fixture.clear());
  afterAll(() => fixture.stop());

  /** Notes what it is given; ends when it is let go. */
  function notes() {
    const seen: Job<'ProcessDocument'>[] = [];
    let letGo!: () => void;
    const released = new Promise<void>((resolve) => (letGo = resolve));
    return {
      seen,
      letGo,
      ids: () => seen.map(({ payload }) => payload.documentId),
      handler: (job: Job<'ProcessDocument'>) => Promise.resolve(void seen.push(job)),
      held: async (job: Job<'ProcessDocument'>) => {
        seen.push(job);
        await Promise.race([
          released,
          new Promise((_, reject) =>
            job.signal.addEventListener('abort', () => reject(new Error('interrupted'))),
          ),
        ]);
      },
    };
  }

  describe('takes a job', () => {
    it('with the commit of the transaction that asked for it, and says only by ids what it is about', async () => {
      const { seen, handler } = notes();
      fixture.runner(handler);
      const documentId = await fixture.transaction(async (tx) => {
        tx.enqueue('ProcessDocument', { documentId: tx.tenantId, version: 3 });
        // The worker is idle; a job that it could see now it would have by then.
        await sleep(300);
        expect(seen).toEqual([]);
        return tx.tenantId;
      });
      await waitUntil(() => seen.length > 0);
      expect(seen[0]).toMatchObject({
        tenantId: fixture.tenantId,
        payload: { documentId, version: 3 },
        attempt: 1,
        isLastAttempt: false,
      });
      await waitUntil(async () => (await fixture.jobs()).length === 0);
    });

    it('not when that transaction fails', async () => {
      const failing = fixture.transaction(async (tx) => {
        tx.enqueue('ProcessDocument', { documentId: tx.tenantId, version: 1 });
        await tx.query('SELECT 1');
        throw new Error('changed my mind');
      });
      await expect(failing).rejects.toThrow('changed my mind');
      expect(await fixture.jobs()).toEqual([]);
    });

    it('not when its commit fails', async () => {
      const failing = fixture.transaction(async (tx) => {
        tx.enqueue('ProcessDocument', { documentId: tx.tenantId, version: 1 });
        await tx.query('SELECT 1 / 0').catch(() => undefined);
      });
      await expect(failing).rejects.toThrow();
      expect(await fixture.jobs()).toEqual([]);
    });

    it('once, asked for twice: in one transaction or in two', async () => {
      const documentId = fixture.tenantId;
      for (const times of [2, 1]) {
        await fixture.transaction(async (tx) => {
          for (let time = 0; time < times; time += 1)
            tx.enqueue('ProcessDocument', { documentId, version: 1 });
          tx.enqueue('ProcessDocument', { documentId, version: 2 });
          return Promise.resolve();
        });
      }
      expect(
        (await fixture.jobs()).map(({ key, attempts, max_attempts }) => [key, attempts, max_attempts]),
      ).toEqual([
        [`ProcessDocument:${documentId}:1`, 0, 8],
        [`ProcessDocument:${documentId}:2`, 0, 8],
      ]);
    });
  });

  it('is shared by several instances: each job is done, and none twice', async () => {
    const [one, other] = [notes(), notes()];
    // However long one of them takes to begin: the other does not do all of it meanwhile.
    const together = (handler: typeof one.handler) => async (job: Job<'ProcessDocument'>) => {
      await handler(job);
      await waitUntil(() => one.seen.length > 0 && other.seen.length > 0, 'A job for each instance');
    };
    fixture.runner(together(one.handler), { concurrency: 2 });
    fixture.runner(together(other.handler), { concurrency: 2 });
    const ids = await fixture.enqueue(60);
    await waitUntil(async () => (await fixture.jobs()).length === 0);
    expect([...one.ids(), ...other.ids()].sort()).toEqual([...ids].sort());
    expect(new Set([...one.seen, ...other.seen].map(({ workerId }) => workerId)).size).toBe(2);
  });

  it('tries what fails again later, and tells the last attempt that it is', async () => {
    const attempts: [number, boolean][] = [];
    await fixture.enqueue();
    // Each attempt waits longer than the one before; after the sixth it is minutes.
    await fixture.owner.query('UPDATE graphile_worker._private_jobs SET attempts = 5');
    fixture.runner((job) => {
      attempts.push([job.attempt, job.isLastAttempt]);
      return Promise.reject(new Error('the store is away'));
    });
    await waitUntil(async () => (await fixture.jobs())[0]?.last_error != null);
    const [job] = await fixture.jobs();
    expect(job).toMatchObject({ attempts: 6, locked_by: null, is_available: true, is_due: false });
    await fixture.owner.query('UPDATE graphile_worker._private_jobs SET attempts = 7, run_at = now()');
    await fixture.wake();
    await waitUntil(() => attempts.length === 2);
    expect(attempts).toEqual([
      [6, false],
      [8, true],
    ]);
    await waitUntil(async () => (await fixture.jobs())[0]?.locked_by === null);
    expect(await fixture.jobs()).toMatchObject([{ attempts: 8, is_available: false }]);
    expect(fixture.log.filter(({ message }) => message === 'job failed').map(({ level }) => level)).toEqual([
      'warn',
      'error',
    ]);
  });

  it('logs each job with its tenant and how long it took', async () => {
    fixture.runner(notes().handler);
    const [documentId] = await fixture.enqueue();
    await waitUntil(() => fixture.log.some(({ message }) => message === 'job done'));
    const { level, fields } = fixture.log.find(({ message }) => message === 'job done')!;
    expect([level, fields]).toEqual([
      'info',
      {
        task: 'ProcessDocument',
        tenantId: fixture.tenantId,
        documentId,
        version: 1,
        attempt: 1,
        ms: expect.any(Number),
      },
    ]);
  });

  it('is measured: what waits, what is being done, how long it took', async () => {
    const metrics = new JobMetrics(fixture.dataSource);
    await fixture.enqueue(3);
    const [waiting, running, duration] = metrics.all;
    const value = async (metric: typeof waiting) => (await metric!.get()).values;
    expect(await value(waiting)).toMatchObject([{ labels: { task: 'ProcessDocument' }, value: 3 }]);
    const end = metrics.begin('ProcessDocument');
    expect(await value(running)).toMatchObject([{ labels: { task: 'ProcessDocument' }, value: 1 }]);
    end('done');
    expect(await value(running)).toMatchObject([{ value: 0 }]);
    const counted = (await value(duration)).find(
      ({ labels }) => (labels as { outcome?: string }).outcome === 'done',
    );
    expect(counted).toBeDefined();
  });

  describe('when a worker stops', () => {
    it('waits for what it is at, and takes nothing new', async () => {
      const { seen, held, letGo } = notes();
      const runner = fixture.runner(held);
      await fixture.enqueue(2);
      await waitUntil(() => seen.length === 1);
      const stopped = runner.stop();
      await sleep(200);
      letGo();
      await stopped;
      expect(seen).toHaveLength(1);
      expect(await fixture.jobs()).toMatchObject([{ attempts: 0, locked_by: null, is_available: true }]);
    });

    it('hands back what takes too long, to be done by another at once, as if it had not been tried', async () => {
      const { seen, held } = notes();
      const runner = fixture.runner(held, { shutdownTimeoutMs: 200 });
      await fixture.enqueue();
      await waitUntil(() => seen.length === 1);
      await runner.stop();
      // Where the database is slow, somewhat later.
      await waitUntil(async () => (await fixture.jobs())[0]?.locked_by === null);
      expect(await fixture.jobs()).toMatchObject([
        { attempts: 0, locked_by: null, is_available: true, is_due: true },
      ]);
      const other = notes();
      fixture.runner(other.handler);
      await waitUntil(() => other.seen.length === 1);
      expect(other.seen[0]).toMatchObject({ attempt: 1 });
    });

    it('waits no longer than it may for what does not listen; the lease ends, so that others take it', async () => {
      let letGo!: () => void;
      const released = new Promise<void>((resolve) => (letGo = resolve));
      let began = false;
      const runner = fixture.runner(
        () => {
          began = true;
          return released;
        },
        { shutdownTimeoutMs: 100 },
      );
      await fixture.enqueue();
      await waitUntil(() => began);
      // It would wait for ever.
      await runner.stop();
      expect(await fixture.jobs()).toHaveLength(1);
      letGo();
      await waitUntil(async () => (await fixture.jobs()).length === 0);
    });
  });

  describe('when a worker dies', () => {
    it('gives its jobs to others, and leaves those of the living alone', async () => {
      const { seen, held, letGo } = notes();
      fixture.runner(held);
      const [alive] = await fixture.enqueue();
      await waitUntil(() => seen.length === 1);
      const [dead] = await fixture.enqueue();
      await fixture.owner.query(
        `UPDATE graphile_worker._private_jobs SET locked_by = 'pool-of-the-dead', locked_at = now(), attempts = 1
          WHERE locked_by IS NULL`,
      );
      const workers = fixture.deadWorkers();
      expect(await workers.releaseJobs()).toEqual(['pool-of-the-dead']);
      expect(await workers.releaseJobs()).toEqual([]);
      expect(
        (await fixture.jobs()).map(({ payload, locked_by, attempts }) => [
          payload['documentId'],
          locked_by !== null,
          attempts,
        ]),
      ).toEqual([
        [alive, true, 1],
        [dead, false, 1],
      ]);
      letGo();
      await waitUntil(async () => (await fixture.jobs()).length === 0);
      expect(seen.map(({ payload, attempt }) => [payload.documentId, attempt])).toEqual([
        [alive, 1],
        [dead, 2],
      ]);
    });

    it('knows by the lease: one whose connection was cut takes it again', async () => {
      const { seen, held, letGo } = notes();
      fixture.runner(held);
      await fixture.enqueue();
      await waitUntil(() => seen.length === 1);
      const workers = fixture.deadWorkers();
      const id = seen[0]!.workerId;
      expect(await workers.findDead([id, 'pool-of-the-dead'])).toEqual(['pool-of-the-dead']);
      expect(await fixture.terminateConnections('filing-service worker')).toBe(1);
      await waitUntil(() => fixture.log.some(({ message }) => message === 'worker has no lease'));
      await waitUntil(async () => (await workers.findDead([id])).length === 0);
      letGo();
    });
  });

  it('lets the serving role do what it needs, and nothing else', async () => {
    const tables = [
      '_private_jobs',
      '_private_tasks',
      '_private_job_queues',
      '_private_known_crontabs',
      'migrations',
    ];
    const privileges = ['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER'];
    const rows = await fixture.dataSource.query<{ table: string; privileges: string[] }[]>(
      `SELECT t.name AS table,
              ARRAY(SELECT p.name FROM unnest($2::text[]) WITH ORDINALITY AS p (name, place)
                     WHERE has_table_privilege('graphile_worker.' || t.name, p.name) ORDER BY place) AS privileges
         FROM unnest($1::text[]) WITH ORDINALITY AS t (name, place) ORDER BY place`,
      [tables, privileges],
    );
    expect(rows.map(({ privileges: held }) => held)).toEqual([
      ['SELECT', 'INSERT', 'UPDATE', 'DELETE'],
      ['SELECT', 'INSERT'],
      ['SELECT', 'INSERT', 'UPDATE'],
      [],
      [],
    ]);
    const [schema] = await fixture.dataSource.query<object[]>(
      `SELECT has_schema_privilege('graphile_worker', 'CREATE') AS creates`,
    );
    expect(schema).toEqual({ creates: false });
  });

  describe('when connections are cut', () => {
    /** As the scheduled task has it. */
    const emptied = () =>
      waitUntil(async () => {
        await fixture.deadWorkers().releaseJobs();
        return (await fixture.jobs()).length === 0;
      });

    it('goes on, whatever they were for', async () => {
      const { ids, handler } = notes();
      fixture.runner(handler);
      const [first] = await fixture.enqueue();
      await waitUntil(() => ids().includes(first ?? ''));
      await fixture.terminateConnections('filing-service queue');
      await fixture.terminateConnections('filing-service worker');
      const [second] = await fixture.enqueue();
      await waitUntil(() => ids().includes(second ?? ''));
      await emptied();
    });

    it('does a job once more rather than never, where its end could not be noted', async () => {
      const { seen, held, letGo } = notes();
      fixture.runner(held);
      await fixture.enqueue();
      await waitUntil(() => seen.length === 1);
      // Whoever wants to remove the job has to wait, and is cut off while it does.
      const client = await fixture.owner.connect();
      await client.query('BEGIN');
      await client.query('SELECT FROM graphile_worker._private_jobs FOR UPDATE');
      letGo();
      await waitUntil(async () => (await fixture.lockWaiters()) > 0);
      await fixture.terminateConnections('filing-service queue');
      await client.query('ROLLBACK');
      client.release();
      await emptied();
      expect(new Set(seen.map(({ workerId }) => workerId)).size).toBe(2);
    });

    it('begins anew where the ends of several could not be noted and those of others could', async () => {
      const seen: Job<'ProcessDocument'>[] = [];
      const letGo: (() => void)[] = [];
      fixture.runner(
        (job) => {
          seen.push(job);
          return new Promise<void>((resolve) => letGo.push(resolve));
        },
        { concurrency: 4 },
      );
      await fixture.enqueue(4);
      await waitUntil(() => seen.length === 4);
      const client = await fixture.owner.connect();
      await client.query('BEGIN');
      await client.query('SELECT FROM graphile_worker._private_jobs FOR UPDATE');
      for (const count of [1, 2]) {
        letGo[count - 1]?.();
        await waitUntil(async () => (await fixture.lockWaiters()) === count);
      }
      const notNoted = () =>
        fixture.log.filter(({ fields }) => String(fields['queue']).includes('Failed to complete')).length;
      await fixture.terminateConnections('filing-service queue');
      await waitUntil(() => notNoted() === 2);
      await client.query('ROLLBACK');
      client.release();
      // While the worker is ending, for the first two; on another connection, which may have been cut, too.
      letGo[2]?.();
      await waitUntil(async () => (await fixture.jobs()).length === 3 || notNoted() === 3);
      letGo[3]?.();
      await fixture.enqueue();
      await waitUntil(() => seen.length > 4, 'Another worker begins');
      expect(seen[4]?.workerId).not.toBe(seen[0]?.workerId);
      for (let done = 4; (await fixture.jobs()).length > 0; await sleep(20)) {
        await fixture.deadWorkers().releaseJobs();
        for (; done < letGo.length; done += 1) letGo[done]?.();
      }
    });
  });
});
