import { expect, it } from '@jest/globals';
import { type Test } from 'supertest';
import { ALL_PERMISSIONS, type Permission } from '../../../src/common/vocabulary/permissions.js';
import { type Actor } from '../actor.js';
import { expectProblem } from '../expect-problem.js';
import { type TestService } from '../service/service.js';
import { type TestTenant } from '../tenant.js';

export interface OperationUnderTest {
  readonly service: () => TestService;
  /** Sends a request that would succeed, for somebody who may. Called for many actors, so it addresses the same thing. */
  readonly send: (actor: Actor) => Test;
  /** A tenant in which `send` succeeds, with somebody who may. */
  readonly tenant: () => TestTenant;
  readonly permitted: () => Actor;
  /** What a member needs; null where membership is enough. */
  readonly permission: Permission | null;
  /** GetTenantMe answers 404 where others answer 403. */
  readonly nonMemberProblem?: 'tenant.no-access' | 'resource.not-found';
}

/**
 * What every operation has in common: callers that it refuses, and that a refused request writes nothing. Bodies that
 * every operation refuses are in test/security/bad-input/bad-input-bodies-spec.ts.
 */
export function everyOperation({
  send,
  tenant,
  permitted,
  permission,
  nonMemberProblem = 'tenant.no-access',
}: OperationUnderTest): void {
  const refused = async (
    actor: Actor,
    check: (test: Test) => Promise<void>,
    prepare: (test: Test) => Test = (test) => test,
  ) => {
    const before = await tenant().fingerprint();
    await check(prepare(send(actor)));
    expect(await tenant().fingerprint()).toEqual(before);
  };

  it('401: without a token, with a challenge', () =>
    refused(permitted().withToken(null), async (test) => {
      const response = await test;
      expectProblem(response, 'authentication.required');
      expect(response.headers['www-authenticate']).toMatch(/^Bearer/);
    }));

  it('401: with a token that nobody signed', async () => {
    const token = tenant().service.issuer.unsignedToken({ sub: permitted().subject });
    await refused(permitted().withToken(token), async (test) =>
      expectProblem(await test, 'authentication.required'),
    );
  });

  const status = nonMemberProblem === 'tenant.no-access' ? 403 : 404;
  it(`${status}: for somebody who is no member, exactly as for a tenant that does not exist`, async () => {
    const outsider = await tenant().nonMember();
    const nowhere = Object.create(tenant(), { slug: { value: 'no-such-tenant' } }) as TestTenant;
    const [foreign, unknown] = [await send(outsider), await send(outsider.inTenant(nowhere))];
    expectProblem(foreign, nonMemberProblem);
    expect({ ...(unknown.body as object), instance: '' }).toEqual({
      ...(foreign.body as object),
      instance: '',
    });
  });

  if (permission !== null) {
    it(`403: for a member without ${permission}`, async () => {
      const others = ALL_PERMISSIONS.filter((other) => other !== permission);
      const member = await tenant().with(...others);
      await refused(member, async (test) => expectProblem(await test, 'permission.missing'));
    });
  }

  it('429: when the caller has used up the limit, with Retry-After', async () => {
    const { service, id } = tenant();
    await service.query(
      'UPDATE tenants SET rate_limit_per_minute = 1, rate_limit_burst = 1, access_version = access_version + 1 WHERE id = $1',
      [id],
    );
    try {
      const actor = permission === null ? await tenant().as('guest') : await tenant().with(permission);
      // The first request takes what there is, whatever it is answered with.
      await actor.get('/me');
      await refused(actor, async (test) => {
        const response = await test;
        expectProblem(response, 'request.rate-limited');
        expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
        expect(response.headers.ratelimit).toMatch(/^"caller";r=0;t=\d+$/);
        expect(response.headers['ratelimit-policy']).toBe('"caller";q=1;w=60');
      });
    } finally {
      await service.query(
        'UPDATE tenants SET rate_limit_per_minute = NULL, rate_limit_burst = NULL, access_version = access_version + 1 WHERE id = $1',
        [id],
      );
    }
  });
}
