import { ModernFakeTimers } from '@jest/fake-timers';
import { getState } from 'jest-circus';

/** The exports of `@jest/globals`, taken from the globals of jest-light-runner. Without it, the import throws in every spec. */
export const { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, test } = globalThis;

const timers = new ModernFakeTimers({ config: { fakeTimers: {} }, global: globalThis });

/** Adds what jest-light-runner lacks: options for fake timers, and time limits. */
export const jest = {
  ...globalThis.jest,
  useFakeTimers: (options) => timers.useFakeTimers(options),
  useRealTimers: () => timers.useRealTimers(),
  advanceTimersByTime: (milliseconds) => timers.advanceTimersByTime(milliseconds),
  advanceTimersByTimeAsync: (milliseconds) => timers.advanceTimersByTimeAsync(milliseconds),
  /** Sets the time limit of the following tests and hooks in the spec file, in milliseconds; see worker-setup.mjs. */
  setTimeout(milliseconds) {
    getState().testTimeout = milliseconds;
  },
};
