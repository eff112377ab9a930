import { afterEach, beforeEach, expect, jest } from '@jest/globals';
import { Problem } from '../../../src/common/problem.js';
import { loadConfiguration } from '../../../src/platform/config/configuration.js';
import { InvalidToken } from '../../../src/platform/identity/token-claims.js';
import { TokenVerifier, type VerifierTiming } from '../../../src/platform/identity/token-verifier.js';
import { startTestIssuer, type TestIssuer } from '../../support/servers/issuer.js';

/** The issuer of the current test; each test has a new one. */
export let issuer: TestIssuer;

/** Starts an issuer before each test of a spec. Call it once per spec. */
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
  // Characters that RFC 6750, 3 allows in error_description.
  expect(error.reason).toMatch(/^[\x20\x21\x23-\x5B\x5D-\x7E]+$/);
  return error.reason;
}

/** Why a new verifier rejects the token. */
export function reasonFor(token: string): Promise<string> {
  return rejectionReason(verifier().verify(token));
}

/** Expects a 503 with Retry-After. */
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

/** Replaces only the clocks. Timers stay real, because sockets need them. */
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
