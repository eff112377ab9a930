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
} from './limiter-timeouts.js';
import { waitUntil } from '../support/wait-until.js';
import { RedisServer } from './redis-server.js';

// No test measures speed; a slow machine may need this time.
jest.setTimeout(300_000);

const SHARED = 'Rate limits are shared in Redis';
const LOCAL = 'Redis is unavailable: this instance counts rate limits locally';
/** Requests per minute: one per hour, so that no bucket refills during a test. */
const PER_HOUR = 1 / 60;
const HOUR_S = 3600;
const NOT_FAKED = [
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

  function make(url = server.url) {
    const messages: string[] = [];
    const log = (fields: object, message: string) => {
      expect(JSON.stringify(fields)).not.toContain('secret');
      messages.push(message);
    };
    const limiter = new RedisRateLimiter(url, { info: log, warn: log } as Log);
    running.push(limiter);
    return { limiter, messages, reconnects: countReconnects(limiter) };
  }

  /** A started limiter that counts in Redis, with long timeouts until `restoreTimeouts` is called. */
  async function instance() {
    const made = make();
    const restoreTimeouts = useLongTimeouts(made.limiter);
    await made.limiter.onModuleInit();
    await waitUntilCounting('in Redis', made.limiter);
    return { ...made, restoreTimeouts };
  }

  /** Current time of Redis in microseconds. */
  async function clockOf(redis: Redis): Promise<number> {
    const [seconds, microseconds] = await redis.time();
    return Number(seconds) * 1_000_000 + Number(microseconds);
  }

  /** Time of Redis, in milliseconds, at which the key expires. */
  async function endOf(redis: Redis, key: string): Promise<number> {
    const lua = `local time = redis.call('TIME') return time[1] * 1000 + time[2] / 1000 + redis.call('PTTL', KEYS[1])`;
    return Number(await redis.eval(lua, 1, key));
  }

  /** Makes the bucket, or each of these attempts, older. */
  async function age(key: string, minutes: number, attempts: number[] = []): Promise<void> {
    const by = minutes * 60_000_000;
    await server.run(async (redis) => {
      if (attempts.length === 0) await redis.hincrby(key, 'at', -by);
      for (const index of attempts) {
        await redis.lset(key, index, String(Number(await redis.lindex(key, index)) - by));
      }
    });
  }

  /** Expects the result itself and not a promise. */
  function expectImmediate(answer: LimitResult | Promise<LimitResult>): void {
    expect(answer).toEqual({
      allowed: expect.any(Boolean),
      remaining: expect.any(Number),
      nextIn: expect.any(Number),
    });
  }

  describe('while Redis is available', () => {
    const slow = { perMinute: PER_HOUR, burst: 5 };

    beforeEach(async () => {
      server = await RedisServer.start();
    });

    it('counts a key for all instances together', async () => {
      const [one, two] = [await instance(), await instance()];
      expect(one.messages).toEqual([SHARED]);
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

    it('allows exactly the burst for any number of concurrent requests', async () => {
      const instances = [await instance(), await instance(), await instance()];
      const results = await Promise.all(
        instances.flatMap(({ limiter }) =>
          Array.from({ length: 30 }, async () => limiter.consume('a', { perMinute: PER_HOUR, burst: 20 })),
        ),
      );
      expect(results.filter(({ allowed }) => allowed)).toHaveLength(20);
    });

    it('limits the debt of a bucket to ten times its burst', async () => {
      const { limiter } = await instance();
      const pair = { perMinute: PER_HOUR, burst: 2 };
      const wait = async () => (await limiter.consume('a', pair)).nextIn;
      limiter.debit('a', pair, 5);
      expect(await limiter.consume('a', pair)).toMatchObject({ allowed: false, remaining: 0 });
      const shortWait = await wait();
      limiter.debit('a', pair, 1000);
      expect(await wait()).toBeGreaterThan(4 * shortWait);
    });

    it('gives back requests, up to the capacity of the bucket', async () => {
      const { limiter } = await instance();
      const pair = { perMinute: PER_HOUR, burst: 2 };
      await limiter.consume('a', pair, 2);
      limiter.debit('a', pair, -1);
      expect(await limiter.consume('a', pair)).toMatchObject({ allowed: true, remaining: 0 });
      limiter.debit('a', pair, -5);
      expect(await limiter.consume('a', pair)).toMatchObject({ allowed: true, remaining: 1 });
    });

    it('refills by the clock of Redis, including fractions, up to the burst', async () => {
      const { limiter } = await instance();
      const key = 'filing-service:limit:a';
      const pair = { perMinute: PER_HOUR, burst: 2 };
      const began = await server.run(clockOf);
      expect(await limiter.consume('a', pair)).toMatchObject({ allowed: true, remaining: 1 });
      const at = await server.run(async (redis) => Number(await redis.hget(key, 'at')));
      expect(at).toBeGreaterThanOrEqual(began);
      expect(at).toBeLessThanOrEqual(await server.run(clockOf));
      expect(await limiter.consume('a', pair)).toMatchObject({ allowed: true, remaining: 0 });
      expect(await limiter.consume('a', pair)).toMatchObject({ allowed: false, remaining: 0 });
      // Half a token is not enough, and a rejected request does not use it up.
      await age(key, 31);
      expect(await limiter.consume('a', pair)).toMatchObject({ allowed: false, remaining: 0 });
      await age(key, 31);
      expect(await limiter.consume('a', pair)).toMatchObject({ allowed: true, remaining: 0 });
      expect(await limiter.consume('a', pair)).toMatchObject({ allowed: false, remaining: 0 });
      await age(key, 24 * 60);
      expect(await limiter.consume('a', pair)).toMatchObject({ allowed: true, remaining: 1 });
    });

    it('refills at the configured rate', async () => {
      const { limiter } = await instance();
      const fast = { perMinute: 600, burst: 2 };
      const began = await server.run(clockOf);
      let allowed = 0;
      while (allowed < 8) if ((await limiter.consume('a', fast)).allowed) allowed += 1;
      const seconds = ((await server.run(clockOf)) - began) / 1_000_000;
      // Two tokens at the start, and one more every tenth of a second, on machines of any speed.
      expect(allowed).toBeLessThanOrEqual(2 + seconds * 10);
    });

    it('counts attempts in a sliding window for all instances, without rejected ones', async () => {
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
      // After another half hour, the first attempt has expired and the two others have not.
      await age(key, 30, [0, 1, 2]);
      expect(await two.limiter.attempt('a', few)).toBe(0);
      expect(await one.limiter.attempt('a', few)).toBeGreaterThan(HOUR_S / 2 - 600);
    });

    it('allows the next attempt when the window has passed', async () => {
      const { limiter } = await instance();
      const once = { attempts: 1, seconds: 1 };
      const began = await server.run(clockOf);
      expect(await limiter.attempt('a', once)).toBe(0);
      await waitUntil(async () => (await limiter.attempt('a', once)) === 0, 'another allowed attempt');
      expect((await server.run(clockOf)) - began).toBeGreaterThanOrEqual(1_000_000);
    });

    it('sets an expiry on every key that matches its use', async () => {
      const { limiter } = await instance();
      const began = (await server.run(clockOf)) / 1000;
      await limiter.consume('a', { perMinute: PER_HOUR, burst: 100 });
      await limiter.consume('b', { perMinute: PER_HOUR, burst: 100 });
      await limiter.consume('b', { perMinute: PER_HOUR, burst: 100 });
      await limiter.attempt('c', { attempts: 10, seconds: HOUR_S });
      const over = (await server.run(clockOf)) / 1000;
      const ends = await server.run(async (redis) => {
        const keys = (await redis.keys('*')).filter((key) => !key.endsWith('probe')).sort();
        return Promise.all(keys.map(async (key) => [key, await endOf(redis, key)] as const));
      });
      const hours = { a: 1, b: 2, c: 1 };
      expect(ends.map(([key]) => key)).toEqual(
        Object.keys(hours).map((key) => `filing-service:limit:${key}`),
      );
      for (const [index, count] of Object.values(hours).entries()) {
        const end = ends[index]?.[1];
        // Tokens that refilled in between are not counted, and milliseconds are rounded.
        expect(end).toBeGreaterThanOrEqual(began + count * HOUR_S * 1000 - 2);
        expect(end).toBeLessThanOrEqual(over + count * HOUR_S * 1000 + 2);
      }
      await limiter.consume('d', { perMinute: 600, burst: 3 });
      await waitUntil(
        () => server.run(async (redis) => (await redis.exists('filing-service:limit:d')) === 0),
        'the expiry of the refilled bucket',
      );
    });

    it('keeps working after SCRIPT FLUSH', async () => {
      const { limiter, messages } = await instance();
      await limiter.consume('a', slow);
      await server.run((redis) => redis.script('FLUSH'));
      expect(await limiter.consume('a', slow)).toMatchObject({ remaining: 3 });
      expect(messages).toEqual([SHARED]);
    });

    it('closes its connection at shutdown without a log message', async () => {
      const { limiter, messages, reconnects } = await instance();
      const connected = () =>
        server.run(async (redis) => String(await redis.client('LIST')).includes('name=filing-service'));
      expect(await connected()).toBe(true);
      limiter.onApplicationShutdown();
      // The status `end` means that ioredis does not reconnect.
      await waitUntil(() => limiter['redis'].status === 'end', 'the end of its connection');
      await waitUntil(async () => !(await connected()), 'the disconnection in Redis');
      expect(reconnects()).toBe(0);
      expect(messages).toEqual([SHARED]);
    });
  });

  describe('while Redis is unavailable', () => {
    const slow = { perMinute: PER_HOUR, burst: 50 };

    it('counts locally from the first failed request, and in Redis again after its return', async () => {
      server = await RedisServer.start();
      const [one, two] = [await instance(), await instance()];
      const pending = Promise.all(Array.from({ length: 20 }, async () => one.limiter.consume('a', slow)));
      await server.kill();
      // Waiting and new requests are answered without Redis.
      for (const answers of [
        await pending,
        await Promise.all(Array.from({ length: 20 }, async () => two.limiter.consume('a', slow))),
      ]) {
        expect(answers.map(({ allowed }) => allowed)).toEqual(answers.map(() => true));
      }
      await waitUntil(
        () => one.messages.length === 2 && two.messages.length === 2,
        'both to detect the failure',
      );

      // Each instance has its own full burst.
      const own = { perMinute: PER_HOUR, burst: 1 };
      for (const { limiter, reconnects } of [one, two]) {
        expect((await limiter.consume('own', own)).allowed).toBe(true);
        expect((await limiter.consume('own', own)).allowed).toBe(false);
        expect(await limiter.attempt('own', { attempts: 1, seconds: HOUR_S })).toBe(0);
        expect(await limiter.attempt('own', { attempts: 1, seconds: HOUR_S })).toBeGreaterThan(0);
        for (const before = reconnects(); reconnects() < before + 3; await sleep(10)) {
          expectImmediate(limiter.consume('a', slow));
        }
      }
      expect([one.messages, two.messages]).toEqual([
        [SHARED, LOCAL],
        [SHARED, LOCAL],
      ]);

      await server.start();
      await waitUntil(() => one.messages.length === 3 && two.messages.length === 3, 'both to reconnect');
      expect((await one.limiter.consume('again', own)).allowed).toBe(true);
      expect((await two.limiter.consume('again', own)).allowed).toBe(false);
      expect([one.messages, two.messages]).toEqual([
        [SHARED, LOCAL, SHARED],
        [SHARED, LOCAL, SHARED],
      ]);
    });

    it('waits at most 100 ms for a suspended Redis', async () => {
      server = await RedisServer.start();
      const { limiter, messages, restoreTimeouts } = await instance();
      restoreTimeouts();
      server.freeze();
      // Fake timers make the test independent of the speed of the machine.
      jest.useFakeTimers({ doNotFake: [...NOT_FAKED] });
      try {
        let answered = 0;
        const pending = Array.from({ length: 20 }, async () => {
          await limiter.consume('a', slow);
          answered += 1;
        });
        await jest.advanceTimersByTimeAsync(99);
        expect(answered).toBe(0);
        expect(messages).toEqual([SHARED]);
        await jest.advanceTimersByTimeAsync(1);
        await Promise.all(pending);
      } finally {
        jest.useRealTimers();
      }
      expect(messages).toEqual([SHARED, LOCAL]);
    });

    it('then answers at once, and counts in Redis again when Redis resumes', async () => {
      server = await RedisServer.start();
      const { limiter, messages, restoreTimeouts, reconnects } = await instance();
      restoreTimeouts();
      server.freeze();
      expect(await limiter.consume('a', slow)).toMatchObject({ allowed: true });
      // Long enough for failed reconnections.
      for (; reconnects() < 3; await sleep(10)) expectImmediate(limiter.consume('b', slow));
      expect(messages).toEqual([SHARED, LOCAL]);
      useLongTimeouts(limiter);
      await waitUntilNoSocketTimeout(limiter);
      server.thaw();
      await waitUntilCounting('in Redis', limiter);
      expect(messages).toEqual([SHARED, LOCAL, SHARED]);
      expect((await limiter.consume('c', slow)).allowed).toBe(true);
      expect(await server.run((redis) => redis.exists('filing-service:limit:c'))).toBe(1);
    });

    it('counts locally while Redis rejects writes, and logs that once', async () => {
      server = await RedisServer.start();
      const { limiter, messages } = await instance();
      await server.run((redis) => redis.config('SET', 'maxmemory', '1'));
      const tries = jest.spyOn(limiter['redis'], 'evalsha');
      const own = { perMinute: PER_HOUR, burst: 1 };
      expect((await limiter.consume('a', own)).allowed).toBe(true);
      expect((await limiter.consume('a', own)).allowed).toBe(false);
      await waitUntil(() => tries.mock.calls.length >= 4, 'several retries');
      expect(messages).toEqual([SHARED, LOCAL]);
      await server.run((redis) => redis.config('SET', 'maxmemory', '0'));
      await waitUntilCounting('in Redis', limiter);
      expect(messages).toEqual([SHARED, LOCAL, SHARED]);
    });

    it('starts without Redis and connects when Redis starts', async () => {
      server = await RedisServer.stopped();
      const { limiter, messages } = make();
      useLongTimeouts(limiter);
      await limiter.onModuleInit();
      expectImmediate(limiter.consume('a', slow));
      await waitUntil(() => messages.length === 1, 'the log message');
      expect(messages).toEqual([LOCAL]);
      await server.start();
      await waitUntilCounting('in Redis', limiter);
      expect(messages).toEqual([LOCAL, SHARED]);
    });

    it('starts while Redis is suspended', async () => {
      server = await RedisServer.start();
      server.freeze();
      const { limiter, messages } = make();
      // The start does not wait for commands, even with long timeouts.
      useLongTimeouts(limiter);
      await limiter.onModuleInit();
      expectImmediate(limiter.consume('a', slow));
      server.thaw();
      await waitUntilCounting('in Redis', limiter);
      expect(messages.at(-1)).toBe(SHARED);
    });

    it('counts locally when the password is wrong, and does not log the password', async () => {
      server = await RedisServer.start('--requirepass', 'right');
      const { limiter, messages, reconnects } = make(server.url.replace('//', '//:secret@'));
      useLongTimeouts(limiter);
      await limiter.onModuleInit();
      expect((await limiter.consume('a', slow)).allowed).toBe(true);
      await waitUntil(() => reconnects() >= 3, 'several retries');
      expect(messages).toEqual([LOCAL]);
    });
  });
});
