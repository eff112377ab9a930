import { setTimeout as sleep } from 'node:timers/promises';

/**
 * How long a test waits for a condition: far longer than the slowest machine needs. It is shorter than the time limit of a
 * test (runner/worker-setup.mjs), so that a test that fails names the condition.
 */
export const WAIT_TIMEOUT_MS = 300_000;

/** Settings that keep a busy machine from causing 503 answers. */
export const LONG_DATABASE_TIMEOUTS = {
  DATABASE_ACQUIRE_TIMEOUT_MS: String(WAIT_TIMEOUT_MS),
  DATABASE_STATEMENT_TIMEOUT_MS: String(WAIT_TIMEOUT_MS),
};

/** Calls `find` every 10 ms until it returns a value, and returns that value. Throws when the time limit ends. */
export async function waitFor<T>(
  find: () => T | undefined | false | Promise<T | undefined | false>,
  what: string | (() => string) = 'a condition',
): Promise<T> {
  for (const begin = Date.now(); ; await sleep(10)) {
    const found = await find();
    if (found) return found;
    if (Date.now() - begin > WAIT_TIMEOUT_MS)
      throw new Error(`Timed out waiting for: ${typeof what === 'string' ? what : what()}`);
  }
}

/** Waits until the condition is true. For effects that a test cannot await, such as the closing of a descriptor. */
export async function waitUntil(
  condition: () => Promise<boolean> | boolean,
  what?: string | (() => string),
): Promise<void> {
  await waitFor(condition, what);
}
