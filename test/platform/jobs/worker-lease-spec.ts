import { Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type pg from 'pg';
import { WORKERS_WITHOUT_LEASE, WorkerLease } from '../../../src/platform/jobs/worker-lease.js';
import { waitUntil } from '../../support/wait-until.js';
import { JobsFixture } from './jobs-fixture.js';

describe('WorkerLease', () => {
  let fixture: JobsFixture;
  beforeAll(async () => {
    fixture = await JobsFixture.start();
  });
  afterAll(() => fixture.stop());

  it('holds no snapshot that would impede vacuum', async () => {
    const lease = new WorkerLease(fixture.dataSource, 'worker-x', () => undefined);
    await lease.hold();
    try {
      const { rows } = await fixture.owner.query(
        `SELECT state, backend_xid, backend_xmin FROM pg_stat_activity
          WHERE datname = current_database() AND application_name = 'filing-service worker'`,
      );
      expect(rows).toEqual([{ state: 'idle in transaction', backend_xid: null, backend_xmin: null }]);
    } finally {
      await lease.release();
    }
  });

  it('distinguishes living and dead workers, also in concurrent queries', async () => {
    // Several ids, because a hash can be negative, and the highest bit of each half can be set.
    const living = Array.from({ length: 12 }, (_, n) => `worker-${n}`);
    const leases = living.map((id) => new WorkerLease(fixture.dataSource, id, () => undefined));
    const dead = ['worker-a', 'worker-b'];
    const withoutLease = async (by: pg.Pool | pg.PoolClient): Promise<string[]> => {
      const { rows } = await by.query<{ id: string }>(WORKERS_WITHOUT_LEASE, [[...living, ...dead]]);
      return rows.map(({ id }) => id).sort();
    };
    const other = await fixture.owner.connect();
    try {
      for (const lease of leases) await lease.hold();
      await other.query('BEGIN');
      expect(await withoutLease(other)).toEqual(dead);
      expect(await withoutLease(fixture.owner)).toEqual(dead);
      for (const lease of leases) await lease.release();
      await waitUntil(async () => (await withoutLease(other)).length === living.length + dead.length);
      expect((await withoutLease(fixture.owner)).length).toBe(living.length + dead.length);
    } finally {
      await other.query('ROLLBACK');
      other.release();
      for (const lease of leases) await lease.release();
    }
  });

  it('enables TCP keepalive after 15 seconds, because the connection is idle', async () => {
    const keepAlive = jest.spyOn(Socket.prototype, 'setKeepAlive');
    const lease = new WorkerLease(fixture.dataSource, 'worker-y', () => undefined);
    try {
      await lease.hold();
      expect(keepAlive.mock.calls).toEqual([[true, 15_000]]);
    } finally {
      keepAlive.mockRestore();
      await lease.release();
    }
  });
});
