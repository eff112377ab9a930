import { afterEach, beforeEach, expect, jest } from '@jest/globals';
import { Problem } from '../../../src/common/problem.js';
import { loadConfiguration } from '../../../src/platform/config/configuration.js';
import { InvalidToken } from '../../../src/platform/identity/invalid-token.js';
import { TokenVerifier, type VerifierTiming } from '../../../src/platform/identity/token-verifier.js';
import { startTestIssuer, type TestIssuer } from '../../support/servers/issuer.js';

/** The issuer of the test that runs: a new one for each. */
export let issuer: TestIssuer;

/** To be called once by a spec about verification. */
export function useIssuer(): void {
  beforeEach(async () => {
    issuer = await startTestIssuer();
  });
  afterEach(async () => {
    jest.useRealTimers();
    await issuer.stop();
  });
}

export function verifier(
  environment: NodeJS.ProcessEnv = {},
  timing: Partial<VerifierTiming> = {},
): TokenVerifier {
  return new TokenVerifier(loadConfiguration({ OIDC_ISSUER: issuer.url, ...environment }), undefined, timing);
}

export async function rejectionReason(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(
    () => new Error('accepted'),
    (reason: unknown) => reason,
  );
  if (!(error instanceof InvalidToken)) throw error;
  // RFC 6750, 3: what error_description may hold
  expect(error.reason).toMatch(/^[\x20\x21\x23-\x5B\x5D-\x7E]+$/);
  return error.reason;
}

export async function expectUnavailable(promise: Promise<unknown>): Promise<Problem> {
  const error = await promise.then(
    () => new Error('accepted'),
    (reason: unknown) => reason,
  );
  if (!(error instanceof Problem)) throw error;
  expect(error.status).toBe(503);
  expect(Number(error.options.headers?.['Retry-After'])).toBeGreaterThan(0);
  return error;
}

/** Only the clocks are replaced; sockets and their timers go on as they are. */
export function useFakeClock(): void {
  jest.useFakeTimers({
    doNotFake: [
      ...(['hrtime', 'nextTick', 'queueMicrotask', 'setImmediate', 'clearImmediate'] as const),
      ...(['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] as const),
    ],
  });
}

export function advanceClock(milliseconds: number): void {
  jest.advanceTimersByTime(milliseconds);
}

export const now = () => Math.floor(Date.now() / 1000);
