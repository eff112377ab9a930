import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { RedisRateLimiter } from '../../src/platform/http/rate-limit/redis-rate-limiter.js';
import { RedisStreamSlots } from '../../src/platform/http/streams/redis-stream-slots.js';
import { STREAM_LIMITS, StreamSlots } from '../../src/platform/http/streams/stream-slots.js';
import { type Log } from '../../src/platform/logging/log.js';
import { useLongTimeouts, waitUntilCounting } from './limiter-timeouts.js';
import { waitUntil } from '../support/wait-until.js';
import { RedisServer } from './redis-server.js';

jest.setTimeout(300_000);

const SILENT_LOG = { info: () => undefined, warn: () => undefined } as unknown as Log;

describe('RedisStreamSlots', () => {
  let server: RedisServer;
  let limiters: RedisRateLimiter[];
  let shared: RedisStreamSlots[];
  beforeEach(async () => {
    [limiters, shared] = [[], []];
    server = await RedisServer.start();
  });
  afterEach(async () => {
    shared.forEach((slots) => slots.close());
    limiters.forEach((limiter) => limiter.onApplicationShutdown());
    await server.kill();
  });

  async function instance() {
    const limiter = new RedisRateLimiter(server.url, SILENT_LOG);
    limiters.push(limiter);
    useLongTimeouts(limiter);
    await limiter.onModuleInit();
    await waitUntilCounting('in Redis', limiter);
    const redis = new RedisStreamSlots(limiter);
    shared.push(redis);
    return { slots: new StreamSlots(redis), redis, limiter };
  }

  const keys = () => server.run(async (redis) => (await redis.keys('*streams*')).sort());
  const owner = (caller: string, tenant = 't') => ({ tenant, caller });
  const isFree = async (slots: StreamSlots, caller: string, tenant = 't') => {
    const release = await slots.take(owner(caller, tenant)).catch(() => null);
    release?.();
    return release !== null;
  };

  it('counts the streams of a caller and of a tenant on all instances', async () => {
    const [one, two] = [await instance(), await instance()];
    const releases = [];
    for (let n = 0; n < STREAM_LIMITS.caller; n += 1)
      releases.push(await [one, two][n % 2]!.slots.take(owner('a')));
    await expect(one.slots.take(owner('a'))).rejects.toMatchObject({ status: 429 });
    expect(await isFree(two.slots, 'b')).toBe(true);
    releases[0]?.();
    await waitUntil(() => isFree(two.slots, 'a'), 'the released slot');
    for (let n = STREAM_LIMITS.caller - 1; n < STREAM_LIMITS.tenant; n += 1)
      await one.slots.take(owner(`other ${n}`));
    await expect(two.slots.take(owner('c'))).rejects.toMatchObject({ status: 429 });
    expect(await isFree(two.slots, 'c', 'another tenant')).toBe(true);
  });

  it('frees the slots of an instance that no longer renews them', async () => {
    const [one, two] = [await instance(), await instance()];
    for (let n = 0; n < STREAM_LIMITS.caller; n += 1) await one.slots.take(owner('a'));
    expect(await isFree(two.slots, 'a')).toBe(false);
    await server.run(async (redis) => {
      for (const key of await keys())
        for (const id of await redis.zrange(key, 0, -1)) await redis.zincrby(key, -31_000, id);
    });
    expect(await isFree(two.slots, 'a')).toBe(true);
  });

  it('counts its streams again after Redis has lost them', async () => {
    const [one, two] = [await instance(), await instance()];
    for (let n = 0; n < STREAM_LIMITS.caller; n += 1) await one.slots.take(owner('a'));
    await server.run((redis) => redis.flushall());
    await one.redis['renew']();
    expect(await isFree(two.slots, 'a')).toBe(false);
    expect(await keys()).toHaveLength(2);
  });

  it('counts for itself while Redis is not available', async () => {
    const { slots, limiter } = await instance();
    await server.kill();
    await waitUntilCounting('locally', limiter);
    for (let n = 0; n < STREAM_LIMITS.caller; n += 1) await slots.take(owner('a'));
    await expect(slots.take(owner('a'))).rejects.toMatchObject({ status: 429 });
  });
});
