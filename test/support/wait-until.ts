import { setTimeout as sleep } from 'node:timers/promises';

/**
 * How long a test waits for what it needs: far longer than it takes on the slowest machine. Only what never comes is
 * given up, so that the test says what it waited for; the time limit of a test is longer (runner/time-limits.mjs).
 */
export const WAIT_TIMEOUT_MS = 120_000;

/** For a service that never says that it cannot answer now, however busy the machine is. */
export const LONG_DATABASE_TIMEOUTS = {
  DATABASE_ACQUIRE_TIMEOUT_MS: String(WAIT_TIMEOUT_MS),
  DATABASE_STATEMENT_TIMEOUT_MS: String(WAIT_TIMEOUT_MS),
};

/** What is looked for, once it is there. */
export async function waitFor<T>(
  find: () => T | undefined | false | Promise<T | undefined | false>,
  what: string | (() => string) = 'What was waited for',
): Promise<T> {
  for (const begin = Date.now(); ; await sleep(10)) {
    const found = await find();
    if (found) return found;
    if (Date.now() - begin > WAIT_TIMEOUT_MS)
      throw new Error(`${typeof what === 'string' ? what : what()} has not come.`);
  }
}

/** Waits for what happens after the last thing that a test can await, such as a descriptor being closed. */
export async function waitUntil(
  condition: () => Promise<boolean> | boolean,
  what?: string | (() => string),
): Promise<void> {
  await waitFor(condition, what);
}
