import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { JOBS } from '../../../src/common/vocabulary/jobs.js';
import { type Job } from '../../../src/platform/jobs/job.js';
import { JobMetrics } from '../../../src/platform/jobs/job-metrics.js';
import { waitUntil } from '../../support/wait-until.js';
import { JobsFixture } from './jobs-fixture.js';

describe('JobRunner', () => {
  let fixture: JobsFixture;
  beforeAll(async () => {
    fixture = await JobsFixture.start();
  });
  afterEach(() => fixture.clear());
  afterAll(() => fixture.stop());

  /** Handlers that record their jobs; the jobs of `openHandler` end when `finish` is called. */
  function recordingHandlers() {
    const seen: Job<'ProcessDocument'>[] = [];
    let finish!: () => void;
    const released = new Promise<void>((resolve) => (finish = resolve));
    return {
      seen,
      finish,
      ids: () => seen.map(({ payload }) => payload.documentId),
      handler: (job: Job<'ProcessDocument'>) => Promise.resolve(void seen.push(job)),
      openHandler: async (job: Job<'ProcessDocument'>) => {
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

  describe('enqueue', () => {
    it('starts the job after the commit, with ids only', async () => {
      const { seen, handler } = recordingHandlers();
      fixture.runner(handler);
      const documentId = await fixture.transaction(async (tx) => {
        tx.enqueue('ProcessDocument', { documentId: tx.tenantId, version: 3 });
        // Long enough for the idle worker to start the job if it could see it.
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

    it('queues no job when the transaction fails', async () => {
      const failing = fixture.transaction(async (tx) => {
        tx.enqueue('ProcessDocument', { documentId: tx.tenantId, version: 1 });
        await tx.query('SELECT 1');
        throw new Error('changed my mind');
      });
      await expect(failing).rejects.toThrow('changed my mind');
      expect(await fixture.jobs()).toEqual([]);
    });

    it('queues no job when the commit fails', async () => {
      const failing = fixture.transaction(async (tx) => {
        tx.enqueue('ProcessDocument', { documentId: tx.tenantId, version: 1 });
        await tx.query('SELECT 1 / 0').catch(() => undefined);
      });
      await expect(failing).rejects.toThrow();
      expect(await fixture.jobs()).toEqual([]);
    });

    it('queues a job with the same key only once, in one transaction or in two', async () => {
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

  it('runs each job once when there are several instances', async () => {
    const [one, other] = [recordingHandlers(), recordingHandlers()];
    // Each instance waits for the other, so that none runs all jobs alone.
    const together = (handler: typeof one.handler) => async (job: Job<'ProcessDocument'>) => {
      await handler(job);
      await waitUntil(() => one.seen.length > 0 && other.seen.length > 0, 'A job for each instance');
    };
    fixture.runner(together(one.handler), { workerConcurrency: 2 });
    fixture.runner(together(other.handler), { workerConcurrency: 2 });
    const ids = await fixture.enqueue(60);
    await waitUntil(async () => (await fixture.jobs()).length === 0);
    expect([...one.ids(), ...other.ids()].sort()).toEqual([...ids].sort());
    expect(new Set([...one.seen, ...other.seen].map(({ workerId }) => workerId)).size).toBe(2);
  });

  it('retries a failed job later, and marks the last attempt', async () => {
    const attempts: [number, boolean][] = [];
    await fixture.enqueue();
    // The delay grows with each attempt; after the sixth it is several minutes.
    await fixture.owner.query('UPDATE graphile_worker._private_jobs SET attempts = 5');
    fixture.runner((job) => {
      attempts.push([job.attempt, job.isLastAttempt]);
      return Promise.reject(new Error('the store is not available'));
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

  it.each(['08006', '57P03', '25006'])(
    'runs a job again soon, without counting the attempt, that met a server that was away: %s',
    async (code) => {
      const attempts: number[] = [];
      await fixture.enqueue();
      await fixture.owner.query('UPDATE graphile_worker._private_jobs SET attempts = 6');
      fixture.runner(async (job) => {
        attempts.push(job.attempt);
        if (attempts.length < 3) throw Object.assign(new Error('away'), { code });
        return Promise.resolve();
      });
      for (let n = 1; n < 3; n += 1) {
        await waitUntil(async () => attempts.length === n && (await fixture.jobs())[0]?.locked_by === null);
        expect(await fixture.jobs()).toMatchObject([{ attempts: 6, is_available: true, last_error: null }]);
        await fixture.owner.query('UPDATE graphile_worker._private_jobs SET run_at = least(run_at, now())');
        await fixture.wake();
      }
      await waitUntil(async () => (await fixture.jobs()).length === 0);
      expect(attempts).toEqual([7, 7, 7]);
      const log = fixture.log.filter(({ message }) => message.startsWith('job '));
      expect(log.map(({ level, message }) => [level, message])).toEqual([
        ...Array<string[]>(2).fill(['warn', 'job returned to the queue: the database is unavailable']),
        ['info', 'job done'],
      ]);
    },
  );

  it('counts no attempt of a returned job that its worker takes again before it has stored the error', async () => {
    await fixture.owner.query(
      `CREATE FUNCTION due_now() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN NEW.run_at = now(); RETURN NEW; END';
       CREATE TRIGGER due_now BEFORE UPDATE ON graphile_worker._private_jobs FOR EACH ROW
         WHEN (NEW.attempts < OLD.attempts) EXECUTE FUNCTION due_now()`,
    );
    const attempts: number[] = [];
    fixture.runner(
      (job) => {
        attempts.push(job.attempt);
        if (attempts.length < 60) throw Object.assign(new Error('away'), { code: '08006' });
        return Promise.resolve();
      },
      { workerConcurrency: 4 },
    );
    await fixture.enqueue(4);
    await waitUntil(async () => (await fixture.jobs()).every(({ last_error }) => last_error !== null));
    await fixture.owner.query('DROP FUNCTION due_now CASCADE');
    expect(await fixture.jobs()).toEqual([]);
    expect(new Set(attempts)).toEqual(new Set([1]));
  });

  it('counts the attempts of a job that has met servers that were away for a day', async () => {
    await fixture.enqueue();
    await fixture.owner.query(
      `UPDATE graphile_worker._private_jobs SET created_at = now() - interval '25 hours'`,
    );
    fixture.runner(() => Promise.reject(Object.assign(new Error('away'), { code: '08006' })));
    await waitUntil(async () => (await fixture.jobs())[0]?.last_error != null);
    expect(await fixture.jobs()).toMatchObject([{ attempts: 1, is_available: true }]);
  });

  it('logs each job with its tenant and duration', async () => {
    fixture.runner(recordingHandlers().handler);
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

  it('reports metrics of waiting jobs, running jobs and durations', async () => {
    const metrics = new JobMetrics(fixture.dataSource);
    await fixture.enqueue(3);
    const [waiting, running, duration] = metrics.all;
    const value = async (metric: typeof waiting) => (await metric!.get()).values;
    const found = await value(waiting);
    expect(found.map(({ labels }) => labels.task).sort()).toEqual(Object.keys(JOBS).sort());
    expect(found.filter(({ value: count }) => count > 0)).toMatchObject([
      { labels: { task: 'ProcessDocument' }, value: 3 },
    ]);
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
    it('waits for the running job, and takes no new one', async () => {
      const { seen, openHandler, finish } = recordingHandlers();
      const runner = fixture.runner(openHandler);
      await fixture.enqueue(2);
      await waitUntil(() => seen.length === 1);
      const stopped = runner.stop();
      await sleep(200);
      finish();
      await stopped;
      expect(seen).toHaveLength(1);
      expect(await fixture.jobs()).toMatchObject([{ attempts: 0, locked_by: null, is_available: true }]);
    });

    it('returns a job to the queue after the timeout, without counting the attempt', async () => {
      const { seen, openHandler } = recordingHandlers();
      const runner = fixture.runner(openHandler, { shutdownTimeout: 200 });
      await fixture.enqueue();
      await waitUntil(() => seen.length === 1);
      await runner.stop();
      // With a slow database, the job returns somewhat later.
      await waitUntil(async () => (await fixture.jobs())[0]?.locked_by === null);
      expect(await fixture.jobs()).toMatchObject([
        { attempts: 0, locked_by: null, is_available: true, is_due: true },
      ]);
      const other = recordingHandlers();
      fixture.runner(other.handler);
      await waitUntil(() => other.seen.length === 1);
      expect(other.seen[0]).toMatchObject({ attempt: 1 });
    });

    it('stops after the timeout even if a job ignores the signal', async () => {
      let finish!: () => void;
      const released = new Promise<void>((resolve) => (finish = resolve));
      let began = false;
      const runner = fixture.runner(
        () => {
          began = true;
          return released;
        },
        { shutdownTimeout: 100 },
      );
      await fixture.enqueue();
      await waitUntil(() => began);
      // Without the timeout, this would wait forever.
      await runner.stop();
      expect(await fixture.jobs()).toHaveLength(1);
      finish();
      await waitUntil(async () => (await fixture.jobs()).length === 0);
    });
  });

  describe('when a worker dies', () => {
    it('returns its jobs to the queue, and no jobs of living workers', async () => {
      const { seen, openHandler, finish } = recordingHandlers();
      fixture.runner(openHandler);
      const [alive] = await fixture.enqueue();
      await waitUntil(() => seen.length === 1);
      const [dead] = await fixture.enqueue();
      await fixture.owner.query(
        `UPDATE graphile_worker._private_jobs SET locked_by = 'dead-worker', locked_at = now(), attempts = 1
          WHERE locked_by IS NULL`,
      );
      const workers = fixture.deadWorkers();
      expect(await workers.releaseJobs()).toEqual(['dead-worker']);
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
      finish();
      await waitUntil(async () => (await fixture.jobs()).length === 0);
      expect(seen.map(({ payload, attempt }) => [payload.documentId, attempt])).toEqual([
        [alive, 1],
        [dead, 2],
      ]);
    });

    it('detects it by the lease, which a worker acquires again after losing its connection', async () => {
      const { seen, openHandler, finish } = recordingHandlers();
      fixture.runner(openHandler);
      await fixture.enqueue();
      await waitUntil(() => seen.length === 1);
      const workers = fixture.deadWorkers();
      const id = seen[0]!.workerId;
      expect(await workers.findDead([id, 'dead-worker'])).toEqual(['dead-worker']);
      expect(await fixture.terminateConnections('filing-service worker')).toBe(1);
      await waitUntil(() => fixture.log.some(({ message }) => message === 'worker has no lease'));
      await waitUntil(async () => (await workers.findDead([id])).length === 0);
      finish();
    });
  });

  it('needs only these privileges of the service role', async () => {
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

  describe('when connections are lost', () => {
    /** Releases jobs of dead workers, as the scheduled task does, until the queue is empty. */
    const untilQueueIsEmpty = () =>
      waitUntil(async () => {
        await fixture.deadWorkers().releaseJobs();
        return (await fixture.jobs()).length === 0;
      });

    it('continues with new connections', async () => {
      const { ids, handler } = recordingHandlers();
      fixture.runner(handler);
      const [first] = await fixture.enqueue();
      await waitUntil(() => ids().includes(first ?? ''));
      await fixture.terminateConnections('filing-service queue');
      await fixture.terminateConnections('filing-service worker');
      const [second] = await fixture.enqueue();
      await waitUntil(() => ids().includes(second ?? ''));
      await untilQueueIsEmpty();
    });

    it('runs a job again when its outcome could not be stored', async () => {
      const { seen, openHandler, finish } = recordingHandlers();
      fixture.runner(openHandler);
      await fixture.enqueue();
      await waitUntil(() => seen.length === 1);
      // The lock delays the removal of the job, and the connection is terminated meanwhile.
      const client = await fixture.owner.connect();
      await client.query('BEGIN');
      await client.query('SELECT FROM graphile_worker._private_jobs FOR UPDATE');
      finish();
      await waitUntil(async () => (await fixture.lockWaiters()) > 0);
      await fixture.terminateConnections('filing-service queue');
      await client.query('ROLLBACK');
      client.release();
      await untilQueueIsEmpty();
      expect(new Set(seen.map(({ workerId }) => workerId)).size).toBe(2);
    });

    it('starts another worker when only some outcomes could be stored', async () => {
      const seen: Job<'ProcessDocument'>[] = [];
      const finish: (() => void)[] = [];
      fixture.runner(
        (job) => {
          seen.push(job);
          return new Promise<void>((resolve) => finish.push(resolve));
        },
        { workerConcurrency: 4 },
      );
      await fixture.enqueue(4);
      await waitUntil(() => seen.length === 4);
      const client = await fixture.owner.connect();
      await client.query('BEGIN');
      await client.query('SELECT FROM graphile_worker._private_jobs FOR UPDATE');
      for (const count of [1, 2]) {
        finish[count - 1]?.();
        await waitUntil(async () => (await fixture.lockWaiters()) === count);
      }
      const failedUpdates = () =>
        fixture.log.filter(({ fields }) => String(fields['queue']).includes('Failed to complete')).length;
      await fixture.terminateConnections('filing-service queue');
      await waitUntil(() => failedUpdates() === 2);
      await client.query('ROLLBACK');
      client.release();
      // The worker is stopping because of the first two jobs. The third one uses another connection, which may also
      // be lost.
      finish[2]?.();
      await waitUntil(async () => (await fixture.jobs()).length === 3 || failedUpdates() === 3);
      finish[3]?.();
      await fixture.enqueue();
      await waitUntil(() => seen.length > 4, 'Another worker starts');
      expect(seen[4]?.workerId).not.toBe(seen[0]?.workerId);
      for (let done = 4; (await fixture.jobs()).length > 0; await sleep(20)) {
        await fixture.deadWorkers().releaseJobs();
        for (; done < finish.length; done += 1) finish[done]?.();
      }
    });
  });
});
