import { ModernFakeTimers } from '@jest/fake-timers';
import { getState } from 'jest-circus';

/** What `@jest/globals` exports, taken from the globals of jest-light-runner. */
export const { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, test } = globalThis;

const timers = new ModernFakeTimers({ config: { fakeTimers: {} }, global: globalThis });

/** What jest-light-runner lacks: options of fake timers, and time limits. */
export const jest = {
  ...globalThis.jest,
  useFakeTimers: (options) => timers.useFakeTimers(options),
  useRealTimers: () => timers.useRealTimers(),
  advanceTimersByTime: (milliseconds) => timers.advanceTimersByTime(milliseconds),
  advanceTimersByTimeAsync: (milliseconds) => timers.advanceTimersByTimeAsync(milliseconds),
  /** Raises the time limit of the tests and hooks that follow in the spec file (time-limits.mjs), in milliseconds. */
  setTimeout(milliseconds) {
    getState().testTimeout = milliseconds;
  },
};
