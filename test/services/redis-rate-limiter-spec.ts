import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type Log } from '../../src/http/log.js';
import { RedisRateLimiter } from '../../src/http/redis-rate-limiter.js';
import { RedisServer } from './redis-server.js';

const SHARED = 'Rate limits are shared in Redis';
const AWAY = 'Redis is away: this instance counts rate limits for itself';

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
  async function instance(url = server.url) {
    const told: string[] = [];
    const tell = (fields: object, message: string) => {
      expect(JSON.stringify(fields)).not.toContain('secret');
      told.push(message);
    };
    const limiter = new RedisRateLimiter(url, { info: tell, warn: tell } as Log);
    running.push(limiter);
    await limiter.onModuleInit();
    return { limiter, told };
  }

  /** Waits until the condition holds. */
  async function until(condition: () => boolean, milliseconds = 5000): Promise<void> {
    const end = performance.now() + milliseconds;
    while (!condition()) {
      if (performance.now() > end) throw new Error(`Not so within ${milliseconds} ms`);
      await sleep(10);
    }
  }

  /** The slowest of the answers, in milliseconds. */
  async function slowest(ask: () => unknown, times: number): Promise<number> {
    const durations = Array.from({ length: times }, async () => {
      const begin = performance.now();
      await ask();
      return performance.now() - begin;
    });
    return Math.max(...(await Promise.all(durations)));
  }

  describe('while Redis is there', () => {
    const slow = { perMinute: 1, burst: 5 };

    beforeEach(async () => {
      server = await RedisServer.start();
    });

    it('counts a key once for all instances', async () => {
      const [one, two] = [await instance(), await instance()];
      expect(one.told).toEqual([SHARED]);
      const results = [];
      for (const { limiter } of [one, two, one, two, one]) results.push(await limiter.consume('a', slow));
      expect(results).toEqual([
        { allowed: true, remaining: 4, nextIn: expect.any(Number) },
        { allowed: true, remaining: 3, nextIn: expect.any(Number) },
        { allowed: true, remaining: 2, nextIn: expect.any(Number) },
        { allowed: true, remaining: 1, nextIn: expect.any(Number) },
        { allowed: true, remaining: 0, nextIn: 60 },
      ]);
      for (const { limiter } of [one, two]) {
        expect(await limiter.consume('a', slow)).toEqual({ allowed: false, remaining: 0, nextIn: 60 });
        expect((await limiter.consume('b', slow)).allowed).toBe(true);
      }
    });

    it('lets exactly the burst through, however many ask at once', async () => {
      const instances = [await instance(), await instance(), await instance()];
      const results = await Promise.all(
        instances.flatMap(({ limiter }) =>
          Array.from({ length: 30 }, async () => limiter.consume('a', { perMinute: 1, burst: 20 })),
        ),
      );
      expect(results.filter(({ allowed }) => allowed)).toHaveLength(20);
    });

    it('fills by the clock of Redis, fractions included, and never beyond the burst', async () => {
      const { limiter } = await instance();
      const fast = { perMinute: 600, burst: 2 };
      expect(await limiter.consume('a', fast)).toMatchObject({ allowed: true, remaining: 1 });
      expect(await limiter.consume('a', fast)).toMatchObject({ allowed: true, remaining: 0 });
      let [allowed, refused] = [0, 0];
      const begin = performance.now();
      while (performance.now() - begin < 1000) {
        if ((await limiter.consume('a', fast)).allowed) allowed += 1;
        else refused += 1;
      }
      expect(refused).toBeGreaterThan(allowed);
      expect(allowed).toBeGreaterThanOrEqual(9);
      expect(allowed).toBeLessThanOrEqual(11);
      await sleep(500);
      expect(await limiter.consume('a', fast)).toMatchObject({ allowed: true, remaining: 1 });
    });

    it('notes so many attempts in any span of time, for all instances, those refused left out', async () => {
      const [one, two] = [await instance(), await instance()];
      const few = { attempts: 3, seconds: 1 };
      expect(await one.limiter.attempt('a', few)).toBe(0);
      await sleep(500);
      for (const { limiter } of [two, one]) expect(await limiter.attempt('a', few)).toBe(0);
      for (const { limiter } of [two, one, two]) expect(await limiter.attempt('a', few)).toBe(1);
      expect(await one.limiter.attempt('b', few)).toBe(0);
      // Half a second later the first is over, and the two others are not.
      await sleep(510);
      expect(await two.limiter.attempt('a', few)).toBe(0);
      expect(await one.limiter.attempt('a', few)).toBe(1);
      expect(await one.limiter.attempt('hourly', { attempts: 1, seconds: 3600 })).toBe(0);
      expect(await two.limiter.attempt('hourly', { attempts: 1, seconds: 3600 })).toBe(3600);
    });

    it('leaves nothing in Redis for longer than it counts', async () => {
      const { limiter } = await instance();
      await limiter.consume('a', { perMinute: 600, burst: 3 });
      await limiter.consume('b', { perMinute: 1, burst: 100 });
      await limiter.attempt('c', { attempts: 10, seconds: 3600 });
      const lives = await server.ask(async (redis) => {
        const keys = (await redis.keys('*')).filter((key) => !key.endsWith('probe')).sort();
        return Promise.all(keys.map(async (key) => [key, await redis.pttl(key)] as const));
      });
      expect(lives).toEqual([
        ['filing-service:limit:a', expect.any(Number)],
        ['filing-service:limit:b', expect.any(Number)],
        ['filing-service:limit:c', expect.any(Number)],
      ]);
      const [a = 0, b = 0, c = 0] = lives.map(([, life]) => life);
      expect(a).toBeLessThanOrEqual(101);
      expect(b).toBeGreaterThan(55_000);
      expect(b).toBeLessThanOrEqual(60_001);
      expect(c).toBeGreaterThan(3_500_000);
      await sleep(150);
      expect(await server.ask((redis) => redis.exists('filing-service:limit:a'))).toBe(0);
    });

    it('goes on when Redis has forgotten its scripts', async () => {
      const { limiter, told } = await instance();
      await limiter.consume('a', slow);
      await server.ask((redis) => redis.script('FLUSH'));
      expect(await limiter.consume('a', slow)).toMatchObject({ remaining: 3 });
      expect(told).toEqual([SHARED]);
    });

    it('is gone from Redis after the shutdown, without a word', async () => {
      const { limiter, told } = await instance();
      const connected = () =>
        server.ask(async (redis) => String(await redis.client('LIST')).includes('name=filing-service'));
      expect(await connected()).toBe(true);
      limiter.onApplicationShutdown();
      await sleep(700);
      expect(await connected()).toBe(false);
      expect(told).toEqual([SHARED]);
    });
  });

  describe('while Redis is away', () => {
    const slow = { perMinute: 1, burst: 50 };

    it('counts for itself from the request on that finds Redis dead, and together again when it is back', async () => {
      server = await RedisServer.start();
      const [one, two] = [await instance(), await instance()];
      const asking = slowest(() => one.limiter.consume('a', slow), 20);
      const killed = server.kill();
      expect(await asking).toBeLessThan(400);
      await killed;
      expect(await slowest(() => two.limiter.consume('a', slow), 20)).toBeLessThan(400);
      await until(() => one.told.length === 2 && two.told.length === 2);

      // Each for itself: both of them have a whole burst.
      const own = { perMinute: 1, burst: 1 };
      for (const { limiter } of [one, two]) {
        expect((await limiter.consume('own', own)).allowed).toBe(true);
        expect((await limiter.consume('own', own)).allowed).toBe(false);
        expect(await limiter.attempt('own', { attempts: 1, seconds: 60 })).toBe(0);
        expect(await limiter.attempt('own', { attempts: 1, seconds: 60 })).toBe(60);
        expect(await slowest(() => limiter.consume('a', slow), 100)).toBeLessThan(80);
      }
      await sleep(1500);
      expect([one.told, two.told]).toEqual([
        [SHARED, AWAY],
        [SHARED, AWAY],
      ]);

      await server.start();
      await until(() => one.told.length === 3 && two.told.length === 3);
      expect((await one.limiter.consume('again', own)).allowed).toBe(true);
      expect((await two.limiter.consume('again', own)).allowed).toBe(false);
      expect([one.told, two.told]).toEqual([
        [SHARED, AWAY, SHARED],
        [SHARED, AWAY, SHARED],
      ]);
    });

    it('makes nobody wait longer than a tenth of a second for a frozen one, and nobody after them', async () => {
      server = await RedisServer.start();
      const { limiter, told } = await instance();
      server.freeze();
      const waited = await slowest(() => limiter.consume('a', slow), 20);
      expect(waited).toBeGreaterThan(90);
      expect(waited).toBeLessThan(400);
      // Long enough for the connection to be given up and made anew in vain.
      for (let i = 0; i < 25; i += 1) {
        expect(await slowest(() => limiter.consume('b', slow), 5)).toBeLessThan(80);
        await sleep(100);
      }
      expect(told).toEqual([SHARED, AWAY]);
      server.thaw();
      await until(() => told.length === 3);
      expect(told).toEqual([SHARED, AWAY, SHARED]);
      expect((await limiter.consume('c', slow)).allowed).toBe(true);
      expect(await server.ask((redis) => redis.exists('filing-service:limit:c'))).toBe(1);
    });

    it('counts for itself while Redis refuses to write, with one line however often it tries', async () => {
      server = await RedisServer.start();
      const { limiter, told } = await instance();
      await server.ask((redis) => redis.config('SET', 'maxmemory', '1'));
      expect((await limiter.consume('a', { perMinute: 1, burst: 1 })).allowed).toBe(true);
      expect((await limiter.consume('a', { perMinute: 1, burst: 1 })).allowed).toBe(false);
      await sleep(1500);
      expect(told).toEqual([SHARED, AWAY]);
      await server.ask((redis) => redis.config('SET', 'maxmemory', '0'));
      await until(() => told.length === 3);
      expect(told).toEqual([SHARED, AWAY, SHARED]);
    });

    it('starts without it, in no more than about a second, and finds it when it comes', async () => {
      server = await RedisServer.absent();
      const begin = performance.now();
      const { limiter, told } = await instance();
      expect(performance.now() - begin).toBeLessThan(1500);
      expect((await limiter.consume('a', slow)).allowed).toBe(true);
      expect(told).toEqual([AWAY]);
      await server.start();
      await until(() => told.length === 2);
      expect(told).toEqual([AWAY, SHARED]);
    });

    it('starts beside a frozen one in no more than about a second', async () => {
      server = await RedisServer.start();
      server.freeze();
      const begin = performance.now();
      const { limiter, told } = await instance();
      expect(performance.now() - begin).toBeLessThan(1500);
      expect(await slowest(() => limiter.consume('a', slow), 5)).toBeLessThan(400);
      server.thaw();
      await until(() => told.at(-1) === SHARED);
    });

    it('counts for itself with a password that is wrong, and tells it to nobody', async () => {
      server = await RedisServer.start('--requirepass', 'right');
      const { limiter, told } = await instance(server.url.replace('//', '//:secret@'));
      expect((await limiter.consume('a', slow)).allowed).toBe(true);
      await sleep(1200);
      expect(told).toEqual([AWAY]);
    });
  });
});
