import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import request, { type Response } from 'supertest';
import {
  MemoryRateLimiter,
  RateLimiter,
  rateLimitHeaders,
} from '../../../../src/platform/http/rate-limit/rate-limiter.js';
import { RefusalPace } from '../../../../src/platform/http/rate-limit/refusal-pace.js';
import { type Actor } from '../../../support/actor.js';
import { expectProblem } from '../../../support/expect-problem.js';
import { remainingAfter } from '../../../support/price.js';
import { TestService } from '../../../support/service/service.js';
import { TestTenant } from '../../../support/tenant.js';
import { waitUntil } from '../../../support/wait-until.js';

describe('MemoryRateLimiter', () => {
  /** A limiter with a clock that only `pass` advances. */
  function limiterAt() {
    let now = 5000;
    const limiter = new MemoryRateLimiter(() => now);
    return {
      limiter,
      pass: (milliseconds: number) => void (now += milliseconds),
    };
  }
  const limit = { perMinute: 600, burst: 3 };

  it('allows a debt of up to ten times the capacity of the bucket', () => {
    const { limiter, pass } = limiterAt();
    const two = { perMinute: 60, burst: 2 };
    limiter.debit('debtor', two, 5);
    expect(limiter.consume('debtor', two)).toEqual({ allowed: false, remaining: 0, nextIn: 4 });
    pass(4000);
    expect(limiter.consume('debtor', two).allowed).toBe(true);
    limiter.debit('debtor', two, 1000);
    expect(limiter.consume('debtor', two)).toEqual({ allowed: false, remaining: 0, nextIn: 21 });
  });

  it('gives back requests, up to the capacity of the bucket', () => {
    const { limiter } = limiterAt();
    limiter.consume('a', limit, 3);
    limiter.debit('a', limit, -2);
    expect(limiter.consume('a', limit)).toEqual({ allowed: true, remaining: 1, nextIn: 1 });
    limiter.debit('a', limit, -5);
    expect(limiter.consume('a', limit).remaining).toBe(2);
  });

  it('allows a burst, then rejects until the bucket has another request', () => {
    const { limiter, pass } = limiterAt();
    expect([1, 2, 3].map(() => limiter.consume('a', limit))).toEqual([
      { allowed: true, remaining: 2, nextIn: 1 },
      { allowed: true, remaining: 1, nextIn: 1 },
      { allowed: true, remaining: 0, nextIn: 1 },
    ]);
    pass(99);
    expect(limiter.consume('a', limit)).toEqual({ allowed: false, remaining: 0, nextIn: 1 });
    pass(1);
    expect(limiter.consume('a', limit)).toEqual({ allowed: true, remaining: 0, nextIn: 1 });
    expect(limiter.consume('a', limit).allowed).toBe(false);
  });

  it('refills evenly, up to the burst', () => {
    const { limiter, pass } = limiterAt();
    const taken = () => {
      let count = 0;
      while (limiter.consume('a', limit).allowed) count += 1;
      return count;
    };
    expect(taken()).toBe(3);
    pass(250);
    expect(taken()).toBe(2);
    // Half a request was left. Time with rejected requests counts too.
    pass(50);
    expect(taken()).toBe(1);
    pass(24 * 3600 * 1000);
    expect(taken()).toBe(3);
  });

  it('allows at most limit plus burst in a minute', () => {
    const { limiter, pass } = limiterAt();
    let allowed = 0;
    for (let i = 0; i < 60_000; i += 7) {
      if (limiter.consume('a', limit).allowed) allowed += 1;
      pass(7);
    }
    expect(allowed).toBeGreaterThanOrEqual(600);
    expect(allowed).toBeLessThanOrEqual(603);
  });

  it('returns the seconds until one more request remains, rounded up', () => {
    const { limiter, pass } = limiterAt();
    const slow = { perMinute: 6, burst: 2 };
    expect(limiter.consume('a', slow)).toEqual({ allowed: true, remaining: 1, nextIn: 10 });
    pass(2500);
    expect(limiter.consume('a', slow)).toEqual({ allowed: true, remaining: 0, nextIn: 8 });
    expect(limiter.consume('a', slow)).toEqual({ allowed: false, remaining: 0, nextIn: 8 });
    pass(7499);
    expect(limiter.consume('a', slow)).toEqual({ allowed: false, remaining: 0, nextIn: 1 });
    pass(1);
    expect(limiter.consume('a', slow).allowed).toBe(true);
  });

  it('counts each key separately', () => {
    const { limiter } = limiterAt();
    const one = { perMinute: 1, burst: 1 };
    expect(['a', 'b', 'a'].map((key) => limiter.consume(key, one).allowed)).toEqual([true, true, false]);
  });

  it('applies a lowered limit at once', () => {
    const { limiter } = limiterAt();
    limiter.consume('a', { perMinute: 600, burst: 100 });
    expect(limiter.consume('a', { perMinute: 600, burst: 2 }).remaining).toBe(1);
  });

  it('limits the attempts in any period, without counting rejected ones', () => {
    const { limiter, pass } = limiterAt();
    const few = { attempts: 3, seconds: 60 };
    const made = [0, 10_000, 30_000].map((_, i, times) => {
      pass((times[i] ?? 0) - (times[i - 1] ?? 0));
      return limiter.attempt('a', few);
    });
    expect(made).toEqual([0, 0, 0]);
    expect(limiter.attempt('a', few)).toBe(30);
    expect(limiter.attempt('b', few)).toBe(0);
    pass(29_999);
    expect(limiter.attempt('a', few)).toBe(1);
    pass(1);
    expect(limiter.attempt('a', few)).toBe(0);
    // The attempt made at 10 seconds expires next, in 10 seconds.
    expect(limiter.attempt('a', few)).toBe(10);
    pass(10_000);
    expect(limiter.attempt('a', few)).toBe(0);
    expect(limiter.attempt('a', few)).toBe(20);
  });
});

describe('RefusalPace', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('answers ten at once, then ten each second, each after two seconds at most', () => {
    const pace = new RefusalPace();
    let answered = 0;
    const refuse = (count: number) => {
      for (let n = 0; n < count; n += 1) pace.answer('caller', () => (answered += 1));
    };
    refuse(25);
    expect(answered).toBe(10);
    jest.advanceTimersByTime(100);
    expect(answered).toBe(11);
    jest.advanceTimersByTime(1400);
    expect(answered).toBe(25);
    refuse(100);
    jest.advanceTimersByTime(1999);
    expect(answered).toBeLessThan(50);
    jest.advanceTimersByTime(1);
    expect(answered).toBe(125);
  });

  it('holds back 2,000 answers in all', () => {
    const pace = new RefusalPace();
    let answered = 0;
    for (let n = 0; n < 5000; n += 1) pace.answer('caller', () => (answered += 1));
    expect(answered).toBe(3000);
    jest.advanceTimersByTime(2000);
    expect(answered).toBe(5000);
  });
});

describe('rateLimitHeaders', () => {
  it('describes the bucket as the policy: its capacity, and the seconds in which it fills', () => {
    const result = { allowed: true, remaining: 41, nextIn: 1 };
    expect(rateLimitHeaders({ perMinute: 600, burst: 100 }, result)).toEqual([
      ['RateLimit-Policy', '"caller";q=100;w=10'],
      ['RateLimit', '"caller";r=41;t=1'],
    ]);
    expect(rateLimitHeaders({ perMinute: 7, burst: 3 }, result)[0]?.[1]).toBe('"caller";q=3;w=26');
    // A window of 0 seconds is not allowed.
    expect(rateLimitHeaders({ perMinute: 1_000_000, burst: 1 }, result)[0]?.[1]).toBe('"caller";q=1;w=1');
  });
});

const policyOf = (response: Response) => response.headers['ratelimit-policy'];

describe('Rate limit of a caller', () => {
  let service: TestService;
  const DEFAULT_POLICY = '"caller";q=100;w=10';

  beforeAll(async () => {
    service = await TestService.start({ RATE_LIMIT_PER_MINUTE: undefined, RATE_LIMIT_BURST: undefined });
  });
  afterAll(() => service.stop());

  it('is 600 requests per minute with a burst of 100 by default', async () => {
    const actor = await (await service.tenant()).as('viewer');
    await actor.get('/me');
    const begin = performance.now();
    const responses = await Promise.all(Array.from({ length: 200 }, () => actor.get('/me')));
    const seconds = (performance.now() - begin) / 1000;
    const allowed = responses.filter(({ status }) => status === 200).length;
    expect(allowed).toBeGreaterThanOrEqual(99);
    expect(allowed).toBeLessThanOrEqual(100 + 10 * seconds);
    for (const response of responses) {
      expect(policyOf(response)).toBe(DEFAULT_POLICY);
      if (response.status !== 200) expectProblem(response, 'request.rate-limited');
    }
  });

  it('holds back the refusals of a caller who keeps sending, not those of another one', async () => {
    const tenant = await service.tenant();
    const [actor, other] = [await tenant.as('viewer'), await tenant.as('viewer')];
    await tenant.limitRequests(1, 1);
    for (const caller of [actor, other]) await caller.get('/me').expect(200);
    const begin = performance.now();
    const statuses: number[] = [];
    const refusals = Array.from({ length: 20 }, async () => {
      statuses.push((await actor.get('/me')).status);
    });
    await waitUntil(() => statuses.length >= 10);
    expectProblem(await other.get('/me'), 'request.rate-limited');
    expect(statuses.length).toBeLessThan(20);
    await Promise.all(refusals);
    expect(new Set(statuses)).toEqual(new Set([429]));
    // Ten at once, then ten each second.
    expect(performance.now() - begin).toBeGreaterThan(900);
  });

  it('is in the headers of every authenticated response', async () => {
    const tenant = await service.tenant();
    const actor = await tenant.as('records_manager');
    const nonMember = (await tenant.nonMember()).inTenant(tenant);
    const tag = (await actor.post('/tags', { name: 'Urgent' })).body as { id: string };
    const answers: [number, Response][] = [
      [200, await actor.get('/me')],
      [201, await actor.post('/tags', { name: 'Later' })],
      [204, await actor.delete(`/tags/${tag.id}`)],
      [400, await actor.get('/files?limit=0')],
      [400, await actor.send('post', '/tags').set('Content-Type', 'application/json').send('{')],
      [403, await actor.put('/settings/slug', { slug: 'any' })],
      [403, await nonMember.get('/files')],
      [404, await nonMember.get('/me')],
      [404, await actor.get('/files/0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3d')],
      [406, await actor.get('/files').set('Accept', 'text/html')],
      [409, await actor.post('/tags', { name: 'later' })],
      [413, await actor.post('/tags', { name: 'x'.repeat(1024 * 1024) })],
      [415, await actor.send('post', '/tags').set('Content-Type', 'text/plain').send('Urgent')],
    ];
    for (const [status, response] of answers) {
      expect(response.status).toBe(status);
      expect({ status, policy: policyOf(response) }).toEqual({ status, policy: DEFAULT_POLICY });
      remainingAfter(response);
    }
    for (const response of [await actor.withToken(null).get('/me'), await actor.get('/nowhere')]) {
      expect(response.headers).not.toHaveProperty('ratelimit');
      expect(response.headers).not.toHaveProperty('ratelimit-policy');
    }
  });

  it('decreases with each request, also a rejected one, and allows a request after Retry-After', async () => {
    const tenant = await service.tenant();
    const actor = await tenant.as('viewer');
    await tenant.limitRequests(4, 2);
    let now = Math.ceil(performance.now());
    const limiter: { now(): number } = service.app.get(RateLimiter);
    const clock = jest.spyOn(limiter, 'now').mockImplementation(() => now);
    const answers = [await actor.get('/me'), await actor.get('/files?limit=0'), await actor.get('/me')];
    expect(answers.map(({ status }) => status)).toEqual([200, 400, 429]);
    expect(answers.map(remainingAfter)).toEqual([1, 0, 0]);
    const [, , last] = answers;
    // The limit is four per minute, and no time has passed.
    expect(last?.headers['retry-after']).toBe('15');
    // The window of RateLimit must not end after Retry-After.
    expect(last?.headers.ratelimit).toBe('"caller";r=0;t=15');
    now += 14_999;
    expect((await actor.get('/me')).headers['retry-after']).toBe('1');
    now += 1;
    expect((await actor.get('/me')).status).toBe(200);
    clock.mockRestore();
  });

  it('can differ for a tenant, and counts separately for each tenant and caller', async () => {
    const [strict, usual] = [await service.tenant(), await service.tenant()];
    const actor = await strict.as('viewer');
    const colleague = await strict.as('viewer');
    const elsewhere = await usual.addMember(actor, 'viewer');
    await strict.limitRequests(1, 3);
    const two = [await actor.get('/me'), await actor.get('/me')];
    expect(two.map((response) => [response.status, policyOf(response), remainingAfter(response)])).toEqual([
      [200, '"caller";q=3;w=180', 2],
      [200, '"caller";q=3;w=180', 1],
    ]);
    expect(remainingAfter(await colleague.get('/me'))).toBe(2);
    const there = await elsewhere.get('/me');
    expect([there.status, policyOf(there), remainingAfter(there)]).toEqual([200, DEFAULT_POLICY, 99]);

    await strict.limitRequests(null, null);
    // The first request still uses the cached limit, and detects the change.
    expect(policyOf(await actor.get('/me'))).toBe('"caller";q=3;w=180');
    expect(policyOf(await actor.get('/me'))).toBe(DEFAULT_POLICY);
  });
});

describe('Rate limit of non-members', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await TestService.start({ RATE_LIMIT_PER_MINUTE: '1', RATE_LIMIT_BURST: '8' });
  });
  afterAll(() => service.stop());

  it('is the same for all tenants, existing or not, and does not reveal their limits', async () => {
    const [strict, usual, home] = [await service.tenant(), await service.tenant(), await service.tenant()];
    await strict.limitRequests(1, 1);
    const member = await home.as('viewer');
    const tenants = [strict, usual, new TestTenant(service, strict.id, 'no-such-tenant')];
    const answers: Response[] = [];
    for (let i = 0; i < 11; i += 1) {
      answers.push(await member.inTenant(tenants[i % 3] as TestTenant).get('/files'));
    }
    expect(answers.map(({ status }) => status)).toEqual([...Array<number>(8).fill(403), 429, 429, 429]);
    expect(answers.map(remainingAfter)).toEqual([7, 6, 5, 4, 3, 2, 1, 0, 0, 0, 0]);
    expect(new Set(answers.map(policyOf))).toEqual(new Set(['"caller";q=8;w=480']));
    for (const alike of [answers.slice(0, 8), answers.slice(8)]) {
      const bodies = alike.map(({ body }) => JSON.stringify({ ...(body as object), instance: '' }));
      expect(new Set(bodies).size).toBe(1);
    }
    // The limit as a member of the own tenant is separate.
    const own = await member.get('/me');
    expect([own.status, remainingAfter(own)]).toEqual([200, 7]);
  });
});

describe('Rate limit of an address', () => {
  let service: TestService;
  let tenant: TestTenant;
  let actor: Actor;

  beforeAll(async () => {
    service = await TestService.start({ TRUSTED_PROXIES: '127.0.0.1' });
    tenant = await service.tenant();
    actor = await tenant.as('viewer');
  });
  afterAll(() => service.stop());

  const from = (address: string, authorization?: string) => {
    const test = request(service.url).get(`/api/v1/t/${tenant.slug}/me`).set('X-Forwarded-For', address);
    return authorization === undefined ? test : test.set('Authorization', authorization);
  };

  it('returns 429 after 60 failed authentications per minute, but never for a valid token', async () => {
    const bad = [
      'Bearer nonsense',
      'Basic dXNlcjpwYXNz',
      undefined,
      `Bearer ${service.issuer.unsignedToken({})}`,
    ];
    const begin = performance.now();
    const answers: Response[] = [];
    for (let i = 0; i < 100; i += 1) answers.push(await from('192.0.2.1', bad[i % bad.length]));
    const seconds = (performance.now() - begin) / 1000;

    const failed = answers.filter(({ status }) => status === 401).length;
    expect(failed).toBeGreaterThanOrEqual(60);
    expect(failed).toBeLessThanOrEqual(60 + seconds);
    expect(answers.slice(0, 60).every(({ status }) => status === 401)).toBe(true);
    for (const response of answers.filter(({ status }) => status !== 401)) {
      expectProblem(response, 'request.rate-limited');
      expect(response.headers['retry-after']).toBe('1');
      expect(response.headers).not.toHaveProperty('www-authenticate');
    }

    const good = await from('192.0.2.1', `Bearer ${actor.token}`);
    expect(good.status).toBe(200);
    // A valid token does not reset the limit, which refills by one per second.
    const after = await Promise.all(Array.from({ length: 62 }, () => from('192.0.2.1')));
    expect(after.map(({ status }) => status)).toContain(429);
  });

  it('counts separately for each address, without valid tokens', async () => {
    for (let i = 0; i < 80; i += 1) {
      expect((await from('192.0.2.2', `Bearer ${actor.token}`)).status).toBe(200);
    }
    expect((await from('192.0.2.2')).status).toBe(401);
    expect((await from('2001:db8::1')).status).toBe(401);
  });

  it('does not apply to unknown and public routes', async () => {
    for (let i = 0; i < 62; i += 1) await from('192.0.2.3');
    const test = (path: string) => request(service.url).get(path).set('X-Forwarded-For', '192.0.2.3');
    expectProblem(await test('/api/v1/nowhere'), 'route.not-found');
    expect((await test('/livez')).status).toBe(200);
  });
});
