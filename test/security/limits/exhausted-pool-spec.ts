import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type pg from 'pg';
import { DataSource } from 'typeorm';
import { UnitOfWork } from '../../../src/platform/database/transactions/unit-of-work.js';
import { serviceContext } from '../../../src/platform/tenancy/access/access.directory.js';
import { expectProblem } from '../../support/expect-problem.js';
import { waitUntil } from '../../support/wait-until.js';
import { TestService } from '../../support/service/service.js';

const POOL_SIZE = 4;
/** Long enough to open a connection on a busy machine. */
const ACQUIRE_TIMEOUT_MS = 60_000;
/** Used once all connections are open and in use. */
const SHORT_ACQUIRE_TIMEOUT_MS = 200;
const REQUESTS = 16;

describe('When slow transactions use all database connections', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await TestService.start({
      DATABASE_POOL_SIZE: String(POOL_SIZE),
      DATABASE_ACQUIRE_TIMEOUT_MS: String(ACQUIRE_TIMEOUT_MS),
    });
  });
  afterAll(() => service.stop());

  it('reads and writes return 503 after the acquire timeout, and /livez responds meanwhile', async () => {
    const tenant = await service.tenant();
    const admin = await tenant.as('administrator');
    await admin.get('/me').expect(200);
    const before = await tenant.fingerprint();
    let [begun, ended] = [0, 0];
    let release!: () => void;
    const released = new Promise<void>((resolve) => (release = resolve));
    const uow = service.app.get(UnitOfWork);
    const { master: pool } = service.app.get(DataSource).driver as unknown as { master: pg.Pool };
    expect(pool.options.connectionTimeoutMillis).toBe(ACQUIRE_TIMEOUT_MS);
    // One transaction for each tenant, because no tenant gets all connections.
    const tenants = await Promise.all(Array.from({ length: POOL_SIZE }, () => service.tenant()));
    const slow = tenants.map(({ id }) =>
      uow.write(serviceContext(id), async (tx) => {
        await tx.query('SELECT 1');
        begun += 1;
        await released;
        ended += 1;
        return (await tx.query('SELECT 1 AS one'))[0];
      }),
    );
    try {
      await waitUntil(() => begun === POOL_SIZE, 'A transaction on each connection');
      pool.options.connectionTimeoutMillis = SHORT_ACQUIRE_TIMEOUT_MS;

      let waiting = REQUESTS;
      const refusals = Promise.all(
        Array.from({ length: REQUESTS }, async (_, n) => {
          const response = await (n % 2 ? admin.get('/files') : admin.post('/tags', { name: `Tag ${n}` }));
          waiting -= 1;
          return response;
        }),
      );
      for (; waiting > 0; await sleep(20)) expect((await fetch(`${service.url}/livez`)).status).toBe(200);
      for (const response of await refusals) {
        expectProblem(response, 'service.unavailable');
        expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
      }
      // Without the timeout, the requests would wait for these transactions.
      expect(ended).toBe(0);
    } finally {
      pool.options.connectionTimeoutMillis = ACQUIRE_TIMEOUT_MS;
      release();
      expect(await Promise.all(slow)).toEqual(slow.map(() => ({ one: 1 })));
    }
    expect(await tenant.fingerprint()).toEqual(before);
    await admin.post('/tags', { name: 'Tag 0' }).expect(201);
    expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
  });
});
