import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ProblemCode } from '../../../src/common/messages/problems.js';
import { ALL_PERMISSIONS, type Permission } from '../../../src/common/vocabulary/permissions.js';
import { type Actor } from '../../support/actor.js';
import { sized } from '../../support/exhaustive.js';
import { expectProblem } from '../../support/expect-problem.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';
import { ConformanceClient } from '../support/conformance-client.js';
import { identifierIn } from '../support/isolation-test.js';
import { type PopulatedTenant, createCrossTenantUsers, populateTenant } from '../support/populated-tenant.js';
import { type TenantOperation, tenantOperations } from '../support/tenant-operations.js';
import { OPEN_TO_NON_MEMBERS, REQUIRED_PERMISSIONS } from './required-permissions.js';

/**
 * The callers that every operation rejects, each with a valid request, and that a rejected request writes nothing. In
 * `npm test` each operation meets one of the four callers that global guards reject, so that each guard meets many.
 */
let client: ConformanceClient;
let populated: PopulatedTenant;
let tenant: TestTenant;
let administrator: Actor;
let nonMember: Actor;
let limited: PopulatedTenant;
let operations: ReadonlyMap<string, TenantOperation>;
const members = new Map<Permission, Promise<Actor>>();

beforeAll(async () => {
  client = new ConformanceClient(service.url, service.app.getHttpServer(), service.conformance);
  operations = new Map(tenantOperations(service).map((operation) => [operation.name, operation]));
  const users = await createCrossTenantUsers(service);
  populated = await populateTenant(await service.tenant(), users);
  ({ tenant } = populated);
  administrator = await tenant.as('administrator');
  nonMember = await tenant.nonMember();
  limited = await populateTenant(await service.tenant(), users);
  await limited.tenant.limitRequests(1, 1);
});
afterAll(() => client.stop());

/** A member with all permissions but one. */
function memberWithout(permission: Permission): Promise<Actor> {
  const known =
    members.get(permission) ?? tenant.with(...ALL_PERMISSIONS.filter((other) => other !== permission));
  members.set(permission, known);
  return known;
}

async function send(
  operation: string,
  token: string | null,
  to: { readonly target?: PopulatedTenant; readonly slug?: string } = {},
) {
  const { target = populated, slug = target.tenant.slug } = to;
  const [template] = operations.get(operation)?.templates ?? [];
  if (!template) throw new Error(`${operation} does not exist`);
  const request = template.build(slug, ({ resource }) => identifierIn(target, resource));
  const { status, headers, json } = await client.send({ ...request, token });
  return { status, headers, body: json };
}

/** Sends a request that is to be rejected, and expects that it writes nothing. */
async function rejected(operation: string, token: string | null, code: ProblemCode) {
  const before = await tenant.fingerprint();
  const response = await send(operation, token);
  expectProblem(response, code);
  expect(await tenant.fingerprint()).toEqual(before);
  return response;
}

for (const [index, [operation, permission]] of Object.entries(REQUIRED_PERMISSIONS).entries())
  describe(operation, () => {
    const isSampled = (turn: number) => sized(index % 4 === turn, true);

    if (isSampled(0))
      it('returns 401 with a WWW-Authenticate challenge when the token is missing', async () => {
        const { headers } = await rejected(operation, null, 'authentication.required');
        expect(headers['www-authenticate']).toMatch(/^Bearer/);
      });

    if (isSampled(1))
      it('returns 401 for an unsigned token', async () => {
        const token = service.issuer.unsignedToken({ sub: administrator.subject });
        await rejected(operation, token, 'authentication.required');
      });

    const isHidden = operation === 'GetTenantMe';
    if (isHidden || isSampled(2))
      it(`returns ${isHidden ? 404 : 403} to a non-member, with the same answer as for an unknown tenant`, async () => {
        const code = isHidden ? 'resource.not-found' : 'tenant.no-access';
        const foreign = await rejected(operation, nonMember.token, code);
        const unknown = await send(operation, nonMember.token, { slug: 'no-such-tenant' });
        expect({ ...(unknown.body as object), instance: '' }).toEqual({
          ...(foreign.body as object),
          instance: '',
        });
      });

    if (permission)
      it(`returns 403 to a member without ${permission}`, async () => {
        const member = await memberWithout(permission);
        await rejected(operation, member.token, 'permission.missing');
      });

    if (isSampled(3))
      it('returns 429 with Retry-After when the caller exceeds the rate limit', async () => {
        const caller = await limited.tenant.as('administrator');
        await caller.get('/me');
        const before = await limited.tenant.fingerprint();
        const response = await send(operation, caller.token, { target: limited });
        expectProblem(response, 'request.rate-limited');
        const { headers } = response;
        expect(Number(headers['retry-after'])).toBeGreaterThan(0);
        expect(headers.ratelimit).toMatch(/^"caller";r=0;t=\d+$/);
        expect(headers['ratelimit-policy']).toBe('"caller";q=1;w=60');
        expect(await limited.tenant.fingerprint()).toEqual(before);
      });
  });

describe('The table of required permissions', () => {
  it('has every operation in a tenant', () => {
    const known = [...Object.keys(REQUIRED_PERMISSIONS), ...Object.keys(OPEN_TO_NON_MEMBERS)];
    expect(known.sort()).toEqual([...operations.keys()].sort());
  });
});
