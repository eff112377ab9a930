import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type Redis } from 'ioredis';
import { type Log } from '../../src/platform/logging/log.js';
import { type LimitResult } from '../../src/platform/http/rate-limit/rate-limiter.js';
import { RedisRateLimiter } from '../../src/platform/http/rate-limit/redis-rate-limiter.js';
import {
  useLongTimeouts,
  countReconnects,
  waitUntilCounting,
  waitUntilNoSocketTimeout,
  waitUntil,
} from './limiter-timeouts.js';
import { RedisServer } from './redis-server.js';

// Nothing here is measured in time: where a machine is slow, it may take its time.
jest.setTimeout(300_000);

const SHARED = 'Rate limits are shared in Redis';
const AWAY = 'Redis is unavailable: this instance counts rate limits locally';
/** So slow that nothing fills while a test runs. */
const PER_HOUR = 1 / 60;
const HOUR_S = 3600;
const OTHER_TIME = [
  'Date',
  'hrtime',
  'nextTick',
  'performance',
  'queueMicrotask',
  'setImmediate',
  'clearImmediate',
  'setInterval',
  'clearInterval',
] as const;

describe('RedisRateLimiter', () => {
  let server: RedisServer;
  let running: RedisRateLimiter[];

  beforeEach(() => {
    running = [];
  });
  afterEach(async () => {
    running.forEach((limiter) => limiter.onApplicationShutdown());
    server?.thaw();
    await server?.kill();
  });

  /** A limiter of an instance of its own, and what it has told so far. */
  function make(url = server.url) {
    const told: string[] = [];
    const tell = (fields: object, message: string) => {
      expect(JSON.stringify(fields)).not.toContain('secret');
      told.push(message);
    };
    const limiter = new RedisRateLimiter(url, { info: tell, warn: tell } as Log);
    running.push(limiter);
    return { limiter, told, reconnects: countReconnects(limiter) };
  }

  /** One that has started and counts in Redis, and waits for it however long it takes: until `asUsual`. */
  async function instance() {
    const made = make();
    const asUsual = useLongTimeouts(made.limiter);
    await made.limiter.onModuleInit();
    await waitUntilCounting('in Redis', made.limiter);
    return { ...made, asUsual };
  }

  /** Microseconds of its clock. */
  async function clockOf(redis: Redis): Promise<number> {
    const [seconds, microseconds] = await redis.time();
    return Number(seconds) * 1_000_000 + Number(microseconds);
  }

  /** Milliseconds of its clock, when the key goes. */
  async function endOf(redis: Redis, key: string): Promise<number> {
    const lua = `local time = redis.call('TIME') return time[1] * 1000 + time[2] / 1000 + redis.call('PTTL', KEYS[1])`;
    return Number(await redis.eval(lua, 1, key));
  }

  /** As if the bucket, or each of these attempts, were so much older. */
  async function age(key: string, minutes: number, attempts: number[] = []): Promise<void> {
    const by = minutes * 60_000_000;
    await server.ask(async (redis) => {
      if (attempts.length === 0) await redis.hincrby(key, 'at', -by);
      for (const index of attempts) {
        await redis.lset(key, index, String(Number(await redis.lindex(key, index)) - by));
      }
    });
  }

  /** That the answer is there at once: nobody is made to wait for it. */
  function expectAtOnce(answer: LimitResult | Promise<LimitResult>): void {
    expect(answer).toEqual({
      allowed: expect.any(Boolean),
      remaining: expect.any(Number),
      nextIn: expect.any(Number),
    });
  }

  describe('while Redis is there', () => {
    const slow = { perMinute: PER_HOUR, burst: 5 };

    beforeEach(async () => {
      server = await RedisServer.start();
    });

    it('counts a key once for all instances', async () => {
      const [one, two] = [await instance(), await instance()];
      expect(one.told).toEqual([SHARED]);
      const results: LimitResult[] = [];
      for (const { limiter } of [one, two, one, two, one]) results.push(await limiter.consume('a', slow));
      expect(results.map(({ allowed, remaining }) => [allowed, remaining])).toEqual([
        [true, 4],
        [true, 3],
        [true, 2],
        [true, 1],
        [true, 0],
      ]);
      for (const { limiter } of [one, two]) {
        const { nextIn, ...result } = await limiter.consume('a', slow);
        expect(result).toEqual({ allowed: false, remaining: 0 });
        expect(nextIn).toBeGreaterThan(HOUR_S - 600);
        expect(nextIn).toBeLessThanOrEqual(HOUR_S);
        expect((await limiter.consume('b', slow)).allowed).toBe(true);
      }
    });

    it('lets exactly the burst through, however many ask at once', async () => {
      const instances = [await instance(), await instance(), await instance()];
      const results = await Promise.all(
        instances.flatMap(({ limiter }) =>
          Array.from({ length: 30 }, async () => limiter.consume('a', { perMinute: PER_HOUR, burst: 20 })),
        ),
      );
      expect(results.filter(({ allowed }) => allowed)).toHaveLength(20);
    });

    it('owes what is debited, up to ten times the depth of the bucket', async () => {
      const { limiter } = await instance();
      const pair = { perMinute: PER_HOUR, burst: 2 };
      const wait = async () => (await limiter.consume('a', pair)).nextIn;
      limiter.debit('a', pair, 5);
      expect(await limiter.consume('a', pair)).toMatchObject({ allowed: false, remaining: 0 });
      const owed = await wait();
      limiter.debit('a', pair, 1000);
      expect(await wait()).toBeGreaterThan(4 * owed);
    });

    it('fills by the clock of Redis, fractions included, and never beyond the burst', async () => {
      const { limiter } = await instance();
      const key = 'filing-service:limit:a';
      const pair = { perMinute: PER_HOUR, burst: 2 };
      const began = await server.ask(clockOf);
      expect(await limiter.consume('a', pair)).toMatchObject({ allowed: true, remaining: 1 });
      const at = await server.ask(async (redis) => Number(await redis.hget(key, 'at')));
      expect(at).toBeGreaterThanOrEqual(began);
      expect(at).toBeLessThanOrEqual(await server.ask(clockOf));
      expect(await limiter.consume('a', pair)).toMatchObject({ allowed: true, remaining: 0 });
      expect(await limiter.consume('a', pair)).toMatchObject({ allowed: false, remaining: 0 });
      // Half of one is none, and who asks for it does not lose it.
      await age(key, 31);
      expect(await limiter.consume('a', pair)).toMatchObject({ allowed: false, remaining: 0 });
      await age(key, 31);
      expect(await limiter.consume('a', pair)).toMatchObject({ allowed: true, remaining: 0 });
      expect(await limiter.consume('a', pair)).toMatchObject({ allowed: false, remaining: 0 });
      await age(key, 24 * 60);
      expect(await limiter.consume('a', pair)).toMatchObject({ allowed: true, remaining: 1 });
    });

    it('fills by itself, as fast as it may', async () => {
      const { limiter } = await instance();
      const fast = { perMinute: 600, burst: 2 };
      const began = await server.ask(clockOf);
      let allowed = 0;
      while (allowed < 8) if ((await limiter.consume('a', fast)).allowed) allowed += 1;
      const seconds = ((await server.ask(clockOf)) - began) / 1_000_000;
      // However slow whoever asks: two at once, and one more for each tenth of a second.
      expect(allowed).toBeLessThanOrEqual(2 + seconds * 10);
    });

    it('notes so many attempts in any span of time, for all instances, those refused left out', async () => {
      const [one, two] = [await instance(), await instance()];
      const key = 'filing-service:limit:a';
      const few = { attempts: 3, seconds: HOUR_S };
      expect(await one.limiter.attempt('a', few)).toBe(0);
      await age(key, 30, [0]);
      for (const { limiter } of [two, one]) expect(await limiter.attempt('a', few)).toBe(0);
      for (const { limiter } of [two, one, two]) {
        const wait = await limiter.attempt('a', few);
        expect(wait).toBeGreaterThan(HOUR_S / 2 - 600);
        expect(wait).toBeLessThanOrEqual(HOUR_S / 2);
      }
      expect(await one.limiter.attempt('b', few)).toBe(0);
      // Half an hour later the first is over, and the two others are not.
      await age(key, 30, [0, 1, 2]);
      expect(await two.limiter.attempt('a', few)).toBe(0);
      expect(await one.limiter.attempt('a', few)).toBeGreaterThan(HOUR_S / 2 - 600);
    });

    it('lets the next attempt through by itself, once the span is over', async () => {
      const { limiter } = await instance();
      const once = { attempts: 1, seconds: 1 };
      const began = await server.ask(clockOf);
      expect(await limiter.attempt('a', once)).toBe(0);
      await waitUntil(async () => (await limiter.attempt('a', once)) === 0, 'there may be another attempt');
      expect((await server.ask(clockOf)) - began).toBeGreaterThanOrEqual(1_000_000);
    });

    it('leaves nothing in Redis for longer than it counts', async () => {
      const { limiter } = await instance();
      const began = (await server.ask(clockOf)) / 1000;
      await limiter.consume('a', { perMinute: PER_HOUR, burst: 100 });
      await limiter.consume('b', { perMinute: PER_HOUR, burst: 100 });
      await limiter.consume('b', { perMinute: PER_HOUR, burst: 100 });
      await limiter.attempt('c', { attempts: 10, seconds: HOUR_S });
      const over = (await server.ask(clockOf)) / 1000;
      const ends = await server.ask(async (redis) => {
        const keys = (await redis.keys('*')).filter((key) => !key.endsWith('probe')).sort();
        return Promise.all(keys.map(async (key) => [key, await endOf(redis, key)] as const));
      });
      const hours = { a: 1, b: 2, c: 1 };
      expect(ends.map(([key]) => key)).toEqual(
        Object.keys(hours).map((key) => `filing-service:limit:${key}`),
      );
      for (const [index, count] of Object.values(hours).entries()) {
        const end = ends[index]?.[1];
        // What has filled meanwhile is no longer counted, and milliseconds are rounded.
        expect(end).toBeGreaterThanOrEqual(began + count * HOUR_S * 1000 - 2);
        expect(end).toBeLessThanOrEqual(over + count * HOUR_S * 1000 + 2);
      }
      await limiter.consume('d', { perMinute: 600, burst: 3 });
      await waitUntil(
        () => server.ask(async (redis) => (await redis.exists('filing-service:limit:d')) === 0),
        'the bucket that is full again has gone',
      );
    });

    it('goes on when Redis has forgotten its scripts', async () => {
      const { limiter, told } = await instance();
      await limiter.consume('a', slow);
      await server.ask((redis) => redis.script('FLUSH'));
      expect(await limiter.consume('a', slow)).toMatchObject({ remaining: 3 });
      expect(told).toEqual([SHARED]);
    });

    it('is gone from Redis after the shutdown, without a word', async () => {
      const { limiter, told, reconnects } = await instance();
      const connected = () =>
        server.ask(async (redis) => String(await redis.client('LIST')).includes('name=filing-service'));
      expect(await connected()).toBe(true);
      limiter.onApplicationShutdown();
      // The end is what no further connection comes after.
      await waitUntil(() => limiter['redis'].status === 'end', 'it has ended its connection');
      await waitUntil(async () => !(await connected()), 'Redis knows it no more');
      expect(reconnects()).toBe(0);
      expect(told).toEqual([SHARED]);
    });
  });

  describe('while Redis is away', () => {
    const slow = { perMinute: PER_HOUR, burst: 50 };

    it('counts for itself from the request on that finds Redis dead, and together again when it is back', async () => {
      server = await RedisServer.start();
      const [one, two] = [await instance(), await instance()];
      const asking = Promise.all(Array.from({ length: 20 }, async () => one.limiter.consume('a', slow)));
      await server.kill();
      // Whoever was waiting is answered, as are those who come then: by Redis they cannot be.
      for (const answers of [
        await asking,
        await Promise.all(Array.from({ length: 20 }, async () => two.limiter.consume('a', slow))),
      ]) {
        expect(answers.map(({ allowed }) => allowed)).toEqual(answers.map(() => true));
      }
      await waitUntil(() => one.told.length === 2 && two.told.length === 2, 'both have noticed');

      // Each for itself: both of them have a whole burst.
      const own = { perMinute: PER_HOUR, burst: 1 };
      for (const { limiter, reconnects } of [one, two]) {
        expect((await limiter.consume('own', own)).allowed).toBe(true);
        expect((await limiter.consume('own', own)).allowed).toBe(false);
        expect(await limiter.attempt('own', { attempts: 1, seconds: HOUR_S })).toBe(0);
        expect(await limiter.attempt('own', { attempts: 1, seconds: HOUR_S })).toBeGreaterThan(0);
        for (const before = reconnects(); reconnects() < before + 3; await sleep(10)) {
          expectAtOnce(limiter.consume('a', slow));
        }
      }
      expect([one.told, two.told]).toEqual([
        [SHARED, AWAY],
        [SHARED, AWAY],
      ]);

      await server.start();
      await waitUntil(() => one.told.length === 3 && two.told.length === 3, 'both have found it');
      expect((await one.limiter.consume('again', own)).allowed).toBe(true);
      expect((await two.limiter.consume('again', own)).allowed).toBe(false);
      expect([one.told, two.told]).toEqual([
        [SHARED, AWAY, SHARED],
        [SHARED, AWAY, SHARED],
      ]);
    });

    it('makes nobody wait longer than a tenth of a second for a frozen one', async () => {
      server = await RedisServer.start();
      const { limiter, told, asUsual } = await instance();
      asUsual();
      server.freeze();
      // The time of its timers is ours: no machine is too slow for it.
      jest.useFakeTimers({ doNotFake: [...OTHER_TIME] });
      try {
        let answered = 0;
        const asking = Array.from({ length: 20 }, async () => {
          await limiter.consume('a', slow);
          answered += 1;
        });
        await jest.advanceTimersByTimeAsync(99);
        expect(answered).toBe(0);
        expect(told).toEqual([SHARED]);
        await jest.advanceTimersByTimeAsync(1);
        await Promise.all(asking);
      } finally {
        jest.useRealTimers();
      }
      expect(told).toEqual([SHARED, AWAY]);
    });

    it('makes nobody wait after them, and counts in it again when it thaws', async () => {
      server = await RedisServer.start();
      const { limiter, told, asUsual, reconnects } = await instance();
      asUsual();
      server.freeze();
      expect(await limiter.consume('a', slow)).toMatchObject({ allowed: true });
      // Long enough for the connection to be given up and made anew in vain.
      for (; reconnects() < 3; await sleep(10)) expectAtOnce(limiter.consume('b', slow));
      expect(told).toEqual([SHARED, AWAY]);
      useLongTimeouts(limiter);
      await waitUntilNoSocketTimeout(limiter);
      server.thaw();
      await waitUntilCounting('in Redis', limiter);
      expect(told).toEqual([SHARED, AWAY, SHARED]);
      expect((await limiter.consume('c', slow)).allowed).toBe(true);
      expect(await server.ask((redis) => redis.exists('filing-service:limit:c'))).toBe(1);
    });

    it('counts for itself while Redis refuses to write, with one line however often it tries', async () => {
      server = await RedisServer.start();
      const { limiter, told } = await instance();
      await server.ask((redis) => redis.config('SET', 'maxmemory', '1'));
      const tries = jest.spyOn(limiter['redis'], 'evalsha');
      const own = { perMinute: PER_HOUR, burst: 1 };
      expect((await limiter.consume('a', own)).allowed).toBe(true);
      expect((await limiter.consume('a', own)).allowed).toBe(false);
      await waitUntil(() => tries.mock.calls.length >= 4, 'it has tried again and again');
      expect(told).toEqual([SHARED, AWAY]);
      await server.ask((redis) => redis.config('SET', 'maxmemory', '0'));
      await waitUntilCounting('in Redis', limiter);
      expect(told).toEqual([SHARED, AWAY, SHARED]);
    });

    it('starts without it, and finds it when it comes', async () => {
      server = await RedisServer.absent();
      const { limiter, told } = make();
      useLongTimeouts(limiter);
      await limiter.onModuleInit();
      expectAtOnce(limiter.consume('a', slow));
      await waitUntil(() => told.length === 1, 'it has noticed');
      expect(told).toEqual([AWAY]);
      await server.start();
      await waitUntilCounting('in Redis', limiter);
      expect(told).toEqual([AWAY, SHARED]);
    });

    it('starts beside a frozen one that does not answer', async () => {
      server = await RedisServer.start();
      server.freeze();
      const { limiter, told } = make();
      // With all patience for its commands the start itself does not wait for them.
      useLongTimeouts(limiter);
      await limiter.onModuleInit();
      expectAtOnce(limiter.consume('a', slow));
      server.thaw();
      await waitUntilCounting('in Redis', limiter);
      expect(told.at(-1)).toBe(SHARED);
    });

    it('counts for itself with a password that is wrong, and tells it to nobody', async () => {
      server = await RedisServer.start('--requirepass', 'right');
      const { limiter, told, reconnects } = make(server.url.replace('//', '//:secret@'));
      useLongTimeouts(limiter);
      await limiter.onModuleInit();
      expect((await limiter.consume('a', slow)).allowed).toBe(true);
      await waitUntil(() => reconnects() >= 3, 'it has tried again and again');
      expect(told).toEqual([AWAY]);
    });
  });
});
