import { expect, it } from '@jest/globals';
import { type Test } from 'supertest';
import { ALL_PERMISSIONS, type Permission } from '../../../src/common/vocabulary/permissions.js';
import { type Actor } from '../actor.js';
import { expectProblem } from '../expect-problem.js';
import { type TestService } from '../service/service.js';
import { type TestTenant } from '../tenant.js';

export interface OperationUnderTest {
  readonly service: () => TestService;
  /** Sends a request that succeeds for a permitted actor. Called with several actors for the same resource. */
  readonly send: (actor: Actor) => Test;
  /** The tenant in which `send` succeeds. */
  readonly tenant: () => TestTenant;
  readonly permitted: () => Actor;
  /** The permission that the operation requires; null when every member may call it. */
  readonly permission: Permission | null;
  /** GetTenantMe answers 404 where others answer 403. */
  readonly nonMemberProblem?: 'tenant.no-access' | 'resource.not-found';
}

/**
 * Tests that apply to every operation: callers that it rejects, and that a rejected request writes nothing. The tests of
 * invalid bodies are in test/security/bad-input/bad-input-bodies-spec.ts.
 */
export function everyOperation({
  send,
  tenant,
  permitted,
  permission,
  nonMemberProblem = 'tenant.no-access',
}: OperationUnderTest): void {
  const expectRejected = async (
    actor: Actor,
    check: (test: Test) => Promise<void>,
    prepare: (test: Test) => Test = (test) => test,
  ) => {
    const before = await tenant().fingerprint();
    await check(prepare(send(actor)));
    expect(await tenant().fingerprint()).toEqual(before);
  };

  it('returns 401 with a WWW-Authenticate challenge when the token is missing', () =>
    expectRejected(permitted().withToken(null), async (test) => {
      const response = await test;
      expectProblem(response, 'authentication.required');
      expect(response.headers['www-authenticate']).toMatch(/^Bearer/);
    }));

  it('returns 401 for an unsigned token', async () => {
    const token = tenant().service.issuer.unsignedToken({ sub: permitted().subject });
    await expectRejected(permitted().withToken(token), async (test) =>
      expectProblem(await test, 'authentication.required'),
    );
  });

  const status = nonMemberProblem === 'tenant.no-access' ? 403 : 404;
  it(`returns ${status} to a non-member, with the same answer as for an unknown tenant`, async () => {
    const nonMember = await tenant().nonMember();
    const unknownTenant = Object.create(tenant(), { slug: { value: 'no-such-tenant' } }) as TestTenant;
    const [foreign, unknown] = [await send(nonMember), await send(nonMember.inTenant(unknownTenant))];
    expectProblem(foreign, nonMemberProblem);
    expect({ ...(unknown.body as object), instance: '' }).toEqual({
      ...(foreign.body as object),
      instance: '',
    });
  });

  if (permission !== null) {
    it(`returns 403 to a member without ${permission}`, async () => {
      const others = ALL_PERMISSIONS.filter((other) => other !== permission);
      const member = await tenant().with(...others);
      await expectRejected(member, async (test) => expectProblem(await test, 'permission.missing'));
    });
  }

  it('returns 429 with Retry-After when the caller exceeds the rate limit', async () => {
    await tenant().limitRequests(1, 1);
    try {
      const actor = permission === null ? await tenant().as('guest') : await tenant().with(permission);
      // The first request uses the whole limit, whatever its status is.
      await actor.get('/me');
      await expectRejected(actor, async (test) => {
        const response = await test;
        expectProblem(response, 'request.rate-limited');
        expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
        expect(response.headers.ratelimit).toMatch(/^"caller";r=0;t=\d+$/);
        expect(response.headers['ratelimit-policy']).toBe('"caller";q=1;w=60');
      });
    } finally {
      await tenant().limitRequests(null, null);
    }
  });
}
