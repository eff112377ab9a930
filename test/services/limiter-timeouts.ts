import { type RedisRateLimiter } from '../../src/platform/http/rate-limit/redis-rate-limiter.js';
import { waitUntil } from '../support/wait-until.js';

/** Milliseconds; more than a busy machine needs for one command. */
const LONG_TIMEOUTS = { commandTimeout: 120_000, connectTimeout: 120_000, socketTimeout: undefined };

/**
 * Makes a limiter wait until Redis answers. With its own timeout of 100 ms, it would sometimes count locally on a busy
 * machine. Returns a function that restores the original timeouts.
 */
export function useLongTimeouts(limiter: RedisRateLimiter): () => void {
  const { options } = limiter['redis'];
  const { commandTimeout, connectTimeout, socketTimeout } = options;
  Object.assign(options, LONG_TIMEOUTS);
  return () => Object.assign(options, { commandTimeout, connectTimeout, socketTimeout });
}

export async function waitUntilCounting(
  where: 'in Redis' | 'locally',
  limiter: RedisRateLimiter,
): Promise<void> {
  await waitUntil(() => limiter['available'] === (where === 'in Redis'), `the limiter to count ${where}`);
}

/**
 * Waits until no socket timeout is active: ioredis keeps the timeout of a closed connection, and the timeout then ends the
 * next connection.
 */
export async function waitUntilNoSocketTimeout(limiter: RedisRateLimiter): Promise<void> {
  await waitUntil(
    () => limiter['redis']['socketTimeoutTimer'] === undefined,
    'the end of the socket timeout',
  );
}

/** Returns a function that counts the reconnection attempts since this call. */
export function countReconnects(limiter: RedisRateLimiter): () => number {
  let count = 0;
  limiter['redis'].on('reconnecting', () => (count += 1));
  return () => count;
}
