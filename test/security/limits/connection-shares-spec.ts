import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Response } from 'supertest';
import { saveDocument, saveTag } from '../../factories/documents.js';
import { type Actor } from '../../support/actor.js';
import { expectProblem } from '../../support/expect-problem.js';
import { countBlockedStatements } from '../../support/locks.js';
import { remainingAfter } from '../../support/price.js';
import { waitUntil } from '../../support/wait-until.js';
import { TestService } from '../../support/service/service.js';

const POOL_SIZE = 4;

describe('The database connections', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await TestService.start({ DATABASE_POOL_SIZE: String(POOL_SIZE) });
  });
  afterAll(() => service.stop());

  const blocked = () => countBlockedStatements(service);

  /** Sends `times` requests of each actor that wait for a locked tag, and runs `meanwhile` during the wait. */
  async function whileBlocked(
    actors: readonly Actor[],
    times: number,
    meanwhile: () => Promise<void>,
  ): Promise<Response[]> {
    const [first] = actors;
    if (!first) return [];
    const tag = await saveTag(first.tenant);
    await Promise.all(actors.map((actor) => actor.get('/me').expect(200)));
    const blocker = await service.owner.connect();
    let requests: Promise<Response>[];
    try {
      await blocker.query('BEGIN');
      await blocker.query('SELECT FROM tags WHERE tenant_id = $1 AND id = $2 FOR UPDATE', [
        first.tenant.id,
        tag.id,
      ]);
      requests = actors.flatMap((actor) =>
        Array.from({ length: times }, async (_, n) => actor.put(`/tags/${tag.id}`, { name: `Tag ${n}` })),
      );
      await waitUntil(async () => (await blocked()) > 0);
      await meanwhile();
    } finally {
      await blocker.query('ROLLBACK');
      blocker.release();
    }
    return Promise.all(requests);
  }

  it('leave one quarter to other tenants when the requests of one tenant wait for a lock', async () => {
    const [attackers, others] = [await service.tenant(), await service.tenant()];
    const callers = await Promise.all([1, 2, 3, 4].map(() => attackers.as('administrator')));
    const other = await others.as('administrator');
    const answers = await whileBlocked(callers, 10, async () => {
      await waitUntil(async () => (await blocked()) === POOL_SIZE * 0.75);
      for (let n = 0; n < 20; n += 1) await other.post('/tags', { name: `Tag ${n}` }).expect(201);
      expect(await blocked()).toBe(POOL_SIZE * 0.75);
    });
    // Requests that waited for a connection succeed later.
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  });

  it('leave half to other members of the tenant when the requests of one wait for a lock', async () => {
    const tenant = await service.tenant();
    const [busy, colleague] = [await tenant.as('administrator'), await tenant.as('viewer')];
    const answers = await whileBlocked([busy], 20, async () => {
      for (let n = 0; n < 10; n += 1) await colleague.get('/tags').expect(200);
      expect(await blocked()).toBe(POOL_SIZE / 2);
    });
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  });

  it('return 429 with Retry-After to a caller with 100 requests in progress', async () => {
    const actor = await (await service.tenant()).as('administrator');
    let refused: Response | undefined;
    await whileBlocked([actor], 100, async () => {
      // Wait until the service has received all 100 requests.
      await waitUntil(async () => {
        refused = await actor.get('/me');
        return refused.status === 429;
      });
    });
    expectProblem(refused as Response, 'request.rate-limited');
    expect(refused?.headers['retry-after']).toBe('1');
    await actor.get('/me').expect(200);
  });
});

describe('The rate limit', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await TestService.start({ RATE_LIMIT_PER_MINUTE: '1', RATE_LIMIT_BURST: '100' });
  });
  afterAll(() => service.stop());

  it('charges one request for each 64 KiB of a JSON body', async () => {
    const admin = await (await service.tenant()).as('administrator');
    const large = await admin.post('/documents', { title: 'Large', unknown: 'x'.repeat(640 * 1024) });
    expect(large.status).toBe(201);
    expect(remainingAfter(large)).toBe(89);
  });

  it('charges one request for each 200 links of a bulk change, at most 50', async () => {
    const tenant = await service.tenant();
    const admin = await tenant.as('administrator');
    const documents = await Promise.all(Array.from({ length: 40 }, () => saveDocument(tenant, admin)));
    const tags = await Promise.all(Array.from({ length: 20 }, () => saveTag(tenant)));
    const documentIds = documents.map(({ id }) => id);
    const tagIds = tags.map(({ id }) => id);
    const small = await admin.post('/documents/bulk', {
      action: 'Tag',
      documentIds,
      tagIds: tagIds.slice(0, 5),
    });
    expect([small.status, remainingAfter(small)]).toEqual([200, 99]);
    // 800 links.
    const middle = await admin.post('/documents/bulk', { action: 'Tag', documentIds, tagIds });
    expect(middle.status).toBe(200);
    expect(remainingAfter(middle)).toBe(95);
    const unknown = Array.from(
      { length: 500 },
      (_, n) => `0199f7a4-2a10-773a-96e6-${String(n).padStart(12, '0')}`,
    );
    const large = { action: 'Tag', documentIds: unknown, tagIds };
    const answers = [await admin.post('/documents/bulk', large), await admin.post('/documents/bulk', large)];
    expect(answers.map(({ status }) => status)).toEqual([200, 429]);
    expectProblem(answers[1] as Response, 'request.rate-limited');
    // The change costs 50 requests, the caller has 45 left and gets one more each minute.
    expect(Number(answers[1]?.headers['retry-after'])).toBeGreaterThan(240);
    // A request with a low cost is still accepted.
    await admin.get('/me').expect(200);
  });
});
