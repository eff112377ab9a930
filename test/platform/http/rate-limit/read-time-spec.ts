import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Actor } from '../../../support/actor.js';
import { cancelLockWaits, waitForBlockedStatements } from '../../../support/locks.js';
import { priceOf } from '../../../support/price.js';
import { TestService } from '../../../support/service/service.js';
import { type TestTenant } from '../../../support/tenant.js';
import { waitUntil } from '../../../support/wait-until.js';

const READ_MS = 50;
const BLOCKED_MS = 500;
/** Number of requests that this time costs. */
const PRICE = BLOCKED_MS / READ_MS;

describe('The price of the time of reading statements', () => {
  let service: TestService;
  let tenant: TestTenant;
  let actor: Actor;
  beforeAll(async () => {
    service = await TestService.start({ RATE_LIMIT_READ_MS: String(READ_MS) });
    tenant = await service.tenant();
    // The bucket does not refill during a test.
    await tenant.limitRequests(1, 100_000);
    actor = await tenant.as('administrator');
  });
  afterAll(() => service.stop());

  /** The price of a request that waits for the table `tags`, until `end` has ended the wait. */
  function priceOfBlocked(send: () => PromiseLike<unknown>, end = () => Promise.resolve()): Promise<number> {
    return priceOf(actor, async () => {
      const blocker = await service.owner.connect();
      try {
        await blocker.query('BEGIN; LOCK TABLE tags IN ACCESS EXCLUSIVE MODE');
        const pending = send();
        expect(await waitForBlockedStatements(service)).toBe(true);
        const blockedAt = performance.now();
        await waitUntil(() => performance.now() - blockedAt > BLOCKED_MS);
        await end();
        await blocker.query('ROLLBACK');
        await pending;
      } finally {
        blocker.release(true);
      }
    });
  }

  it('is charged to the caller, for each request', async () => {
    const list = async () => actor.get('/tags').expect(200);
    for (let i = 0; i < 2; i += 1) expect(await priceOfBlocked(list)).toBeGreaterThanOrEqual(PRICE);
  });

  it('is charged for statements that fail', async () => {
    const list = async () => actor.get('/tags').expect(503);
    expect(await priceOfBlocked(list, () => cancelLockWaits(service))).toBeGreaterThanOrEqual(PRICE);
  });

  it('is not charged for changes, which wait for other changes', async () => {
    const create = async () => actor.post('/tags', { name: 'blocked' }).expect(201);
    expect(await priceOfBlocked(create)).toBeLessThan(PRICE);
  });
});
