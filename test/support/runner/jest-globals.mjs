import { getState } from 'jest-circus';

/** What `@jest/globals` exports, taken from the globals of jest-light-runner. */
export const { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, test } = globalThis;

export const jest = {
  ...globalThis.jest,
  /** Raises the time limit of the tests and hooks that follow in the spec file (time-limits.mjs), in milliseconds. */
  setTimeout(milliseconds) {
    getState().testTimeout = milliseconds;
  },
};
