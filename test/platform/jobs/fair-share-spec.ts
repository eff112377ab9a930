import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type Job } from '../../../src/platform/jobs/job.js';
import { waitUntil } from '../../support/wait-until.js';
import { JobsFixture } from './jobs-fixture.js';

/** Short delays, so that a job counts as long after 50 ms. */
const SHORT_DELAYS = { minimumRun: 50, checkInterval: 20, tenantSwitch: 0 };

describe('FairShare', () => {
  let fixture: JobsFixture;
  let other: string;
  beforeAll(async () => {
    fixture = await JobsFixture.start();
    other = await fixture.tenant();
  });
  afterEach(() => fixture.clear());
  afterAll(() => fixture.stop());

  /** A handler whose jobs run until `finish` is called, or until they are aborted. */
  function openJobs() {
    const begun: string[] = [];
    const end = new Map<string, () => void>();
    return {
      begun,
      finish: (id = '') => end.get(id)?.(),
      handler: ({ payload, signal }: Job<'ProcessDocument'>) => {
        begun.push(payload.documentId);
        return new Promise<void>((resolve, reject) => {
          end.set(payload.documentId, resolve);
          signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
        });
      },
    };
  }
  const logged = (message: string) => fixture.log.filter((line) => line.message === message);

  it('runs the job of the tenant with less used time first, even if another tenant has many jobs', async () => {
    const { begun, finish, handler } = openJobs();
    const [first] = await fixture.enqueue();
    fixture.runner(handler, { delays: SHORT_DELAYS });
    await waitUntil(() => begun.length === 1);
    await fixture.enqueue(50);
    const [late] = await fixture.enqueue(1, other);
    finish(first);
    await waitUntil(() => begun.length === 2);
    expect(begun).toEqual([first, late]);
    for (let done = 1; (await fixture.jobs()).length > 0;)
      for (; done < begun.length; done += 1) finish(begun[done]);
  });

  it('runs the jobs of one tenant in the order in which they were queued', async () => {
    const ids = [...(await fixture.enqueue()), ...(await fixture.enqueue()), ...(await fixture.enqueue())];
    const seen: string[] = [];
    fixture.runner(({ payload }) => Promise.resolve(void seen.push(payload.documentId)));
    await waitUntil(async () => (await fixture.jobs()).length === 0);
    expect(seen).toEqual(ids);
  });

  it('gives a job with a time in the past no priority over jobs of other tenants', async () => {
    const ids = [...(await fixture.enqueue()), ...(await fixture.enqueue(1, other))];
    await fixture.owner.query(
      `UPDATE graphile_worker._private_jobs SET run_at = 'epoch' WHERE payload ->> 'tenantId' = $1`,
      [other],
    );
    const seen: string[] = [];
    fixture.runner(({ payload }) => Promise.resolve(void seen.push(payload.documentId)));
    await waitUntil(async () => (await fixture.jobs()).length === 0);
    expect(seen).toEqual(ids);
  });

  it('gives all workers to the only tenant with jobs, without a time limit', async () => {
    const { begun, finish, handler } = openJobs();
    const ids = await fixture.enqueue(3);
    fixture.runner(handler, { workerConcurrency: 2, delays: SHORT_DELAYS });
    await waitUntil(() => begun.length === 2);
    // Long enough for several checks.
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(logged('job postponed')).toEqual([]);
    for (const id of ids) {
      await waitUntil(() => begun.includes(id));
      finish(id);
    }
    await waitUntil(async () => (await fixture.jobs()).length === 0);
  });

  it('postpones one long job when another tenant waits, and starts it again afterwards', async () => {
    const { begun, finish, handler } = openJobs();
    await fixture.enqueue(2);
    fixture.runner(handler, { workerConcurrency: 2, delays: SHORT_DELAYS });
    await waitUntil(() => begun.length === 2);
    const [late] = await fixture.enqueue(1, other);
    await waitUntil(() => begun.includes(late ?? ''));
    expect(logged('job postponed')).toHaveLength(1);
    const postponed = (await fixture.jobs()).find(({ locked_by: worker }) => worker === null);
    expect(postponed).toMatchObject({ priority: 1, attempts: 0, max_attempts: 8, is_due: true });
    const id = String(postponed?.payload.documentId);
    // The other job uses the only slot for long jobs.
    finish(late);
    await waitUntil(async () => (await fixture.jobs()).length === 2);
    finish(begun.find((begunId) => begunId !== id && begunId !== late));
    await waitUntil(() => begun.filter((begunId) => begunId === id).length === 2);
    await fixture.enqueue(1, other);
    await waitUntil(() => begun.length === 5);
    expect(logged('job postponed')).toHaveLength(1);
    for (const begunId of begun) finish(begunId);
    await waitUntil(async () => (await fixture.jobs()).length === 0);
  });

  it('gives a failed job no priority over jobs of other tenants', async () => {
    const [crashing] = await fixture.enqueue();
    await fixture.enqueue(1, other);
    fixture.runner(({ payload }) =>
      payload.documentId === crashing ? Promise.reject(new Error('crashed')) : Promise.resolve(),
    );
    await waitUntil(() => logged('job failed').length === 1 && logged('job done').length === 1);
    await waitUntil(async () => {
      const jobs = await fixture.jobs();
      return jobs.length === 1 && jobs[0]?.locked_by === null;
    });
    expect(await fixture.jobs()).toMatchObject([{ attempts: 1, priority: 0 }]);
  });

  it('runs jobs that an earlier release has queued', async () => {
    const seen: string[] = [];
    await fixture.owner.query(
      `SELECT graphile_worker.add_job('ProcessDocument', json_build_object('tenantId', $1::text, 'documentId', 'x', 'version', 1))`,
      [other],
    );
    await fixture.enqueue();
    fixture.runner(({ payload }) => Promise.resolve(void seen.push(payload.documentId)));
    await waitUntil(async () => (await fixture.jobs()).length === 0);
    expect(seen).toContain('x');
  });
});
