import { setTimeout as sleep } from 'node:timers/promises';
import { type RedisRateLimiter } from '../../src/platform/http/rate-limit/redis-rate-limiter.js';

/** More than any machine needs for one command, however much else it has to do. */
const LONG_TIMEOUTS = { commandTimeout: 120_000, connectTimeout: 120_000, socketTimeout: undefined };
const WAIT_TIMEOUT_MS = 120_000;

/**
 * Lets a limiter wait until its Redis has answered: with its own patience of a tenth of a second it would, on a busy
 * machine, count for itself beside a Redis that is there. Returns what gives it its own patience back.
 */
export function useLongTimeouts(limiter: RedisRateLimiter): () => void {
  const { options } = limiter['redis'];
  const { commandTimeout, connectTimeout, socketTimeout } = options;
  Object.assign(options, LONG_TIMEOUTS);
  return () => Object.assign(options, { commandTimeout, connectTimeout, socketTimeout });
}

/** Fulfilled once it counts in Redis, or for itself. */
export async function waitUntilCounting(
  where: 'in Redis' | 'for itself',
  limiter: RedisRateLimiter,
): Promise<void> {
  await waitUntil(() => limiter['available'] === (where === 'in Redis'), `it counts ${where}`);
}

/**
 * Fulfilled once nothing of its own patience is left: ioredis does not forget how long it waits for data on a connection
 * that has gone, and then ends the one that came after.
 */
export async function waitUntilNoSocketTimeout(limiter: RedisRateLimiter): Promise<void> {
  await waitUntil(
    () => limiter['redis']['socketTimeoutTimer'] === undefined,
    'no connection is given up any more',
  );
}

/** How often it has lost its connection, or not got one, and set out to connect anew. */
export function countReconnects(limiter: RedisRateLimiter): () => number {
  let count = 0;
  limiter['redis'].on('reconnecting', () => (count += 1));
  return () => count;
}

/** Fulfilled once the condition holds. */
export async function waitUntil(condition: () => boolean | Promise<boolean>, what: string): Promise<void> {
  for (const begin = Date.now(); !(await condition()); await sleep(10)) {
    if (Date.now() - begin > WAIT_TIMEOUT_MS) throw new Error(`It has not come to it that ${what}.`);
  }
}
