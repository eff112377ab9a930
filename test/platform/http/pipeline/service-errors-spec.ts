import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type pg from 'pg';
import { DataSource } from 'typeorm';
import { EventSequencer } from '../../../../src/platform/events/event-sequencer.js';
import { TreeBuilder } from '../../../../src/resources/audit-log/evidence/tree/tree-builder.js';
import { expectProblem } from '../../../support/expect-problem.js';
import { TestService } from '../../../support/service/service.js';

describe('Service errors', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await TestService.start({ DATABASE_POOL_SIZE: '1' });
  });
  afterAll(() => service.stop());

  it('returns 503 while no database connection is free, and recovers afterwards', async () => {
    const tenant = await service.tenant();
    const admin = await tenant.as('administrator');
    await admin.get('/me').expect(200);
    // They use the pool as well.
    for (const task of [EventSequencer, TreeBuilder]) await service.app.get(task).beforeApplicationShutdown();
    const { master: pool } = service.app.get(DataSource).driver as unknown as { master: pg.Pool };
    const taken = await pool.connect();
    const { connectionTimeoutMillis } = pool.options;
    expect(connectionTimeoutMillis).toBe(service.configuration.databaseAcquireTimeout);
    pool.options.connectionTimeoutMillis = 100;
    const connect = jest.spyOn(pool, 'connect');
    try {
      const response = await admin.get('/files');
      expectProblem(response, 'service.unavailable');
      // The request waits for a connection only once, not again for checking cached rights before the 503.
      expect(connect).toHaveBeenCalledTimes(1);
      expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
      const unready = await fetch(`${service.url}/readyz`);
      expect({ status: unready.status, retryAfter: unready.headers.get('retry-after') }).toEqual({
        status: 503,
        retryAfter: '2',
      });
      expect((await fetch(`${service.url}/livez`)).status).toBe(200);
    } finally {
      connect.mockRestore();
      pool.options.connectionTimeoutMillis = connectionTimeoutMillis;
      taken.release();
    }
    await admin.get('/files').expect(200);
  });

  it('returns 500 without details of the error, and serves other requests', async () => {
    const tenant = await service.tenant();
    const admin = await tenant.as('administrator');
    await service.query('ALTER TABLE tags RENAME TO lost_tags');
    const response = await admin.get('/tags');
    expectProblem(response, 'service.error');
    expect(response.text).not.toMatch(/tags|relation|select|\.ts|node_modules/i);
    await admin.get('/files').expect(200);
    await service.query('ALTER TABLE lost_tags RENAME TO tags');
    await admin.get('/tags').expect(200);
  });
});
