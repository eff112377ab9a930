import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { expectProblem } from '../support/expect-problem.js';
import { somebodyWaits } from '../support/locks.js';
import { TestService } from '../support/service.js';

const ACQUIRE_TIMEOUT_MS = 2500;

describe('When the service cannot do what it should', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await TestService.start({
      DATABASE_POOL_SIZE: '1',
      DATABASE_ACQUIRE_TIMEOUT_MS: String(ACQUIRE_TIMEOUT_MS),
    });
  });
  afterAll(() => service.stop());

  it('503: no connection to the database is free in time; it goes on once there is one', async () => {
    const tenant = await service.tenant();
    const admin = await tenant.as('administrator');
    await admin.get('/me').expect(200);
    const blocker = await service.owner.connect();
    try {
      await blocker.query('BEGIN; LOCK TABLE tags IN ACCESS EXCLUSIVE MODE');
      const waiting = admin.get('/tags').then((response) => response.status);
      expect(await somebodyWaits(service)).toBe(true);
      const startedAt = performance.now();
      const refused = await admin.get('/files');
      expectProblem(refused, 'service.unavailable');
      // It waits once: the refusal is not worth another connection.
      expect(performance.now() - startedAt).toBeLessThan(2 * ACQUIRE_TIMEOUT_MS);
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
      const unready = await fetch(`${service.url}/readyz`);
      expect({ status: unready.status, retryAfter: unready.headers.get('retry-after') }).toEqual({
        status: 503,
        retryAfter: '2',
      });
      expect((await fetch(`${service.url}/livez`)).status).toBe(200);
      await blocker.query('ROLLBACK');
      expect(await waiting).toBe(200);
    } finally {
      blocker.release(true);
    }
    await admin.get('/files').expect(200);
  });

  it('500: says nothing of what went wrong, and goes on with everything else', async () => {
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
