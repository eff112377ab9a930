import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type Response } from 'supertest';
import { RateLimiter } from '../../src/platform/http/rate-limit/rate-limiter.js';
import { type RedisRateLimiter } from '../../src/platform/http/rate-limit/redis-rate-limiter.js';
import { type Actor } from '../support/actor.js';
import { expectProblem } from '../support/expect-problem.js';
import { TestService } from '../support/service/service.js';
import { TestTenant } from '../support/tenant.js';
import { useLongTimeouts, waitUntilCounting } from './limiter-timeouts.js';
import { waitUntil } from '../support/wait-until.js';
import { RedisServer } from './redis-server.js';

jest.setTimeout(300_000);

/** A rate limit that no test reaches, in requests per minute. */
const UNLIMITED = 1_000_000;

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
  const both = (where: 'in Redis' | 'locally') =>
    Promise.all(limiters().map((limiter) => waitUntilCounting(where, limiter)));

  /** A new user, as a caller of each instance. */
  async function caller(role: 'viewer' | 'administrator', perMinute = 1): Promise<[Actor, Actor]> {
    const tenant = await first.tenant();
    await first.query('UPDATE tenants SET rate_limit_per_minute = $2 WHERE id = $1', [tenant.id, perMinute]);
    const actor = await tenant.as(role);
    return [actor, actor.inTenant(new TestTenant(second, tenant.id, tenant.slug))];
  }

  const statuses = (responses: Response[]) => responses.map(({ status }) => status);

  async function sendAlternately(
    actors: Actor[],
    times: number,
    send: (actor: Actor) => PromiseLike<Response>,
  ) {
    const responses: Response[] = [];
    for (let i = 0; i < times; i += 1) responses.push(await send(actors[i % actors.length] as Actor));
    return responses;
  }

  it('count a caller’s requests together', async () => {
    const begin = performance.now();
    const responses = await sendAlternately(await caller('viewer'), 8, (actor) => actor.get('/me'));
    expect(statuses(responses)).toEqual([200, 200, 200, 200, 200, 200, 429, 429]);
    expect(responses.map(({ headers }) => headers['ratelimit']?.replace(/;t=\d+/, ''))).toEqual(
      [5, 4, 3, 2, 1, 0, 0, 0].map((left) => `"caller";r=${left}`),
    );
    expectProblem(responses[7] as Response, 'request.rate-limited');
    // The limit refills one minute after the first request, less the elapsed time.
    const seconds = (performance.now() - begin) / 1000;
    expect(Number(responses[7]?.headers['retry-after'])).toBeGreaterThan(59 - seconds);
  });

  it('count a tenant’s attempts to change its slug together', async () => {
    const [one, two] = await caller('administrator', UNLIMITED);
    const begin = performance.now();
    const responses = await sendAlternately([one, two], 12, (actor) =>
      actor.put('/settings/slug', { slug: actor.tenant.slug }),
    );
    expect(statuses(responses)).toEqual([...Array<number>(10).fill(200), 429, 429]);
    const seconds = (performance.now() - begin) / 1000;
    expect(Number(responses[11]?.headers['retry-after'])).toBeGreaterThan(3599 - seconds);
  });

  it('count failed authentications together', async () => {
    const [one, two] = (await caller('viewer')).map((actor) => actor.withToken(null)) as [Actor, Actor];
    const begin = performance.now();
    const responses = await sendAlternately([one, two], 100, (actor) => actor.get('/me'));
    const seconds = (performance.now() - begin) / 1000;
    const failed = responses.filter(({ status }) => status === 401).length;
    expect(failed).toBeGreaterThanOrEqual(60);
    expect(failed).toBeLessThanOrEqual(61 + seconds);
  });

  it('keep answering when Redis fails, count separately, and count together again after its return', async () => {
    const [one, two] = await caller('viewer');
    expect((await one.get('/me')).headers['ratelimit']).toMatch(/r=5;/);
    expect((await two.get('/me')).headers['ratelimit']).toMatch(/r=4;/);

    const callers = await caller('viewer', UNLIMITED);
    let answered = 0;
    const load = Promise.all(
      callers.map((actor) =>
        sendAlternately([actor], 60, async (each) => {
          const response = await each.get('/me');
          answered += 1;
          return response;
        }),
      ),
    );
    await waitUntil(() => answered >= 10, 'ten answers');
    await server.kill();
    for (const responses of await load) {
      expect(new Set(statuses(responses))).toEqual(new Set([200]));
    }
    await both('locally');

    // Each instance has its own bucket of six requests.
    for (const actor of [one, two]) {
      const responses = await sendAlternately([actor], 7, (each) => each.get('/me'));
      expect(statuses(responses)).toEqual([200, 200, 200, 200, 200, 200, 429]);
    }

    await server.start();
    await both('in Redis');
    const [oneAgain, twoAgain] = await caller('viewer');
    const responses = await sendAlternately([oneAgain, twoAgain], 7, (each) => each.get('/me'));
    expect(statuses(responses)).toEqual([200, 200, 200, 200, 200, 200, 429]);
  });
});
