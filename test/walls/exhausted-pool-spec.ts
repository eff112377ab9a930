import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Response } from 'supertest';
import { expectProblem } from '../support/expect-problem.js';
import { somebodyWaits } from '../support/locks.js';
import { TestService } from '../support/service.js';

const POOL_SIZE = 4;
const ACQUIRE_TIMEOUT_MS = 1000;
const REQUESTS = 16;
/** What a busy machine adds. Without the limit a request would wait for as long as the transactions take. */
const SLACK_MS = 5000;

describe('When slow transactions have all connections to the database', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await TestService.start({
      DATABASE_POOL_SIZE: String(POOL_SIZE),
      DATABASE_ACQUIRE_TIMEOUT_MS: String(ACQUIRE_TIMEOUT_MS),
    });
  });
  afterAll(() => service.stop());

  it('503: reads and writes, many at once, within the time for a connection; /livez answers all along', async () => {
    const tenant = await service.tenant();
    const admin = await tenant.as('administrator');
    await admin.get('/me').expect(200);
    const before = await tenant.fingerprint();
    const blocker = await service.owner.connect();
    try {
      await blocker.query('BEGIN; LOCK TABLE tags IN ACCESS EXCLUSIVE MODE');
      const slow = Promise.all(
        Array.from({ length: POOL_SIZE }, () => admin.get('/tags').then(({ status }) => status)),
      );
      expect(await somebodyWaits(service, POOL_SIZE)).toBe(true);

      let waiting = REQUESTS;
      const timed = async (request: PromiseLike<Response>) => {
        const begin = performance.now();
        const response = await request;
        waiting -= 1;
        return { response, ms: performance.now() - begin };
      };
      const refusals = Promise.all(
        Array.from({ length: REQUESTS }, (_, n) =>
          timed(n % 2 ? admin.get('/files') : admin.post('/tags', { name: `Tag ${n}` })),
        ),
      );
      let alive = 0;
      while (waiting > 0) {
        expect((await fetch(`${service.url}/livez`)).status).toBe(200);
        alive += 1;
        await sleep(20);
      }
      expect(alive).toBeGreaterThan(1);
      for (const { response, ms } of await refusals) {
        expectProblem(response, 'service.unavailable');
        expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
        expect(ms).toBeLessThan(ACQUIRE_TIMEOUT_MS + SLACK_MS);
      }
      await blocker.query('ROLLBACK');
      // On a machine that is slow enough they are at the end of their own patience by now.
      for (const status of await slow) expect([200, 503]).toContain(status);
    } finally {
      blocker.release(true);
    }
    // Nothing of what was refused was done, and nothing is in the way any more.
    expect(await tenant.fingerprint()).toEqual(before);
    await admin.post('/tags', { name: 'Tag 0' }).expect(201);
    expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
  });
});
