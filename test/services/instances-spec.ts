import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type Response } from 'supertest';
import { RateLimiter } from '../../src/platform/http/rate-limit/rate-limiter.js';
import { type RedisRateLimiter } from '../../src/platform/http/rate-limit/redis-rate-limiter.js';
import { type Actor } from '../support/actor.js';
import { expectProblem } from '../support/expect-problem.js';
import { TestService } from '../support/service/service.js';
import { TestTenant } from '../support/tenant.js';
import { useLongTimeouts, waitUntilCounting, waitUntil } from './limiter-timeouts.js';
import { RedisServer } from './redis-server.js';

jest.setTimeout(300_000);

/** A bucket that fills faster than anybody asks. */
const PLENTY = 1_000_000;

describe('Two instances with one Redis', () => {
  let server: RedisServer;
  let first: TestService;
  let second: TestService;

  beforeAll(async () => {
    server = await RedisServer.start();
    const environment = { REDIS_URL: server.url, RATE_LIMIT_PER_MINUTE: '60', RATE_LIMIT_BURST: '6' };
    first = await TestService.start(environment);
    second = await TestService.start(environment, first);
    for (const limiter of limiters()) useLongTimeouts(limiter);
    await both('in Redis');
  }, 300_000);
  afterAll(async () => {
    await second?.stop();
    await first?.stop();
    await server?.kill();
  });

  const limiters = () => [first, second].map(({ app }) => app.get<RedisRateLimiter>(RateLimiter));
  const both = (where: 'in Redis' | 'for itself') =>
    Promise.all(limiters().map((limiter) => waitUntilCounting(where, limiter)));

  /** Somebody, calling the one and the other. */
  async function caller(role: 'viewer' | 'administrator', perMinute = 1): Promise<[Actor, Actor]> {
    const tenant = await first.tenant();
    await first.query('UPDATE tenants SET rate_limit_per_minute = $2 WHERE id = $1', [tenant.id, perMinute]);
    const actor = await tenant.as(role);
    return [actor, actor.inTenant(new TestTenant(second, tenant.id, tenant.slug))];
  }

  const statuses = (responses: Response[]) => responses.map(({ status }) => status);

  /** One request after the other, turn and turn about. */
  async function inTurn(actors: Actor[], times: number, send: (actor: Actor) => PromiseLike<Response>) {
    const responses: Response[] = [];
    for (let i = 0; i < times; i += 1) responses.push(await send(actors[i % actors.length] as Actor));
    return responses;
  }

  it('count a caller’s requests together', async () => {
    const begin = performance.now();
    const responses = await inTurn(await caller('viewer'), 8, (actor) => actor.get('/me'));
    expect(statuses(responses)).toEqual([200, 200, 200, 200, 200, 200, 429, 429]);
    expect(responses.map(({ headers }) => headers['ratelimit']?.replace(/;t=\d+/, ''))).toEqual(
      [5, 4, 3, 2, 1, 0, 0, 0].map((left) => `"caller";r=${left}`),
    );
    expectProblem(responses[7] as Response, 'request.rate-limited');
    // A minute after the first of them, of which some has gone by.
    const seconds = (performance.now() - begin) / 1000;
    expect(Number(responses[7]?.headers['retry-after'])).toBeGreaterThan(59 - seconds);
  });

  it('count a tenant’s attempts to change its slug together', async () => {
    const [one, two] = await caller('administrator', PLENTY);
    const begin = performance.now();
    const responses = await inTurn([one, two], 12, (actor) =>
      actor.put('/settings/slug', { slug: actor.tenant.slug }),
    );
    expect(statuses(responses)).toEqual([...Array<number>(10).fill(200), 429, 429]);
    const seconds = (performance.now() - begin) / 1000;
    expect(Number(responses[11]?.headers['retry-after'])).toBeGreaterThan(3599 - seconds);
  });

  it('count failed authentications together', async () => {
    const [one, two] = (await caller('viewer')).map((actor) => actor.withToken(null)) as [Actor, Actor];
    const begin = performance.now();
    const responses = await inTurn([one, two], 100, (actor) => actor.get('/me'));
    const seconds = (performance.now() - begin) / 1000;
    const failed = responses.filter(({ status }) => status === 401).length;
    expect(failed).toBeGreaterThanOrEqual(60);
    expect(failed).toBeLessThanOrEqual(61 + seconds);
  });

  it('go on answering when Redis dies, each counting for itself, and together again when it is back', async () => {
    const [one, two] = await caller('viewer');
    expect((await one.get('/me')).headers['ratelimit']).toMatch(/r=5;/);
    expect((await two.get('/me')).headers['ratelimit']).toMatch(/r=4;/);

    const callers = await caller('viewer', PLENTY);
    let answered = 0;
    const flood = Promise.all(
      callers.map((actor) =>
        inTurn([actor], 60, async (each) => {
          const response = await each.get('/me');
          answered += 1;
          return response;
        }),
      ),
    );
    await waitUntil(() => answered >= 10, 'some of them are answered');
    await server.kill();
    for (const responses of await flood) {
      expect(new Set(statuses(responses))).toEqual(new Set([200]));
    }
    await both('for itself');

    // A bucket of six each.
    for (const actor of [one, two]) {
      const responses = await inTurn([actor], 7, (each) => each.get('/me'));
      expect(statuses(responses)).toEqual([200, 200, 200, 200, 200, 200, 429]);
    }

    await server.start();
    await both('in Redis');
    const [again, elsewhere] = await caller('viewer');
    const responses = await inTurn([again, elsewhere], 7, (each) => each.get('/me'));
    expect(statuses(responses)).toEqual([200, 200, 200, 200, 200, 200, 429]);
  });
});
