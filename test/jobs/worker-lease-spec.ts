import { Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { WorkerLease } from '../../src/jobs/worker-lease.js';
import { JobsBench } from './jobs-bench.js';

describe('The lease of a worker', () => {
  let bench: JobsBench;
  beforeAll(async () => {
    bench = await JobsBench.start();
  });
  afterAll(() => bench.stop());

  it('holds no snapshot, behind which vacuum could clear nothing away', async () => {
    const lease = new WorkerLease(bench.dataSource, 'worker-x', () => undefined);
    await lease.hold();
    try {
      const { rows } = await bench.owner.query(
        `SELECT state, backend_xid, backend_xmin FROM pg_stat_activity
          WHERE datname = current_database() AND application_name = 'filing-service worker'`,
      );
      expect(rows).toEqual([{ state: 'idle in transaction', backend_xid: null, backend_xmin: null }]);
    } finally {
      await lease.release();
    }
  });

  it('asks within seconds whether the database is still there, although nothing is ever said', async () => {
    const keepAlive = jest.spyOn(Socket.prototype, 'setKeepAlive');
    const lease = new WorkerLease(bench.dataSource, 'worker-y', () => undefined);
    try {
      await lease.hold();
      expect(keepAlive.mock.calls).toEqual([[true, 15_000]]);
    } finally {
      keepAlive.mockRestore();
      await lease.release();
    }
  });
});
