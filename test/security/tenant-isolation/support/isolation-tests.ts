import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { ALL_PERMISSIONS } from '../../../../src/common/vocabulary/permissions.js';
import { type Actor } from '../../../support/actor.js';
import { invalidTokens } from './invalid-tokens.js';
import { defineForeignIdentifierTests } from './foreign-identifier-tests.js';
import { everyNth } from '../../support/case-selection.js';
import {
  type Attempt,
  IsolationTest,
  type IsolationFixture,
  unknownIdentifiers,
} from '../../support/isolation-test.js';
import { mapConcurrently } from '../../support/conformance-client.js';
import { type RequestTemplate, type TenantOperation } from '../../support/tenant-operations.js';
import {
  BODY_OVERRIDES,
  CALLER_OVERRIDES,
  OPERATIONS_WITHOUT_IDENTIFIERS,
  RESOURCE_OVERRIDES,
} from '../../support/operation-overrides.js';

/**
 * Defines the tests of tenant isolation. They call every operation of the route table without a valid token, without
 * the permission, as a member of another tenant, as a removed member, and with identifiers of another tenant.
 * A new operation is included automatically. The first test fails if its identifiers are not covered.
 *
 * @param start starts the instance under test, before the first test
 * @param options.withTokens whether the tests with invalid tokens are included
 * @param options.step in `npm test`, only every `step`-th operation is called where all operations behave alike, and
 * fewer foreign identifiers are tried; `npm run test:exhaustive` calls all
 * @returns the two tenants; available when the tests run
 */
export function defineIsolationTests(
  start: () => Promise<IsolationFixture>,
  { withTokens = true, step = 1 }: { readonly withTokens?: boolean; readonly step?: number } = {},
): () => IsolationTest {
  // Takes seconds on an idle machine, and minutes beside other tests.
  jest.setTimeout(600_000);
  let isolation: IsolationTest;
  beforeAll(async () => {
    isolation = await IsolationTest.create(await start());
  });
  afterAll(() => isolation.stop());

  const inTenants = () => isolation.operations.filter(({ endpoint }) => endpoint.permission !== 'user');
  const noAccess = ({ endpoint }: TenantOperation) => endpoint.noAccess ?? 403;

  it('covers every operation that takes an identifier, and lists those that take none', () => {
    const { operations, own } = isolation;
    const slots = ({ templates, filterTemplates }: TenantOperation) =>
      [...templates, ...filterTemplates].flatMap((template) => template.slots);
    const withIdentifiers = operations.filter(
      (operation) => slots(operation).length > 0 || operation.page !== null,
    );
    const withoutIdentifiers = operations
      .filter((operation) => !withIdentifiers.includes(operation))
      .map(({ name }) => name);
    expect(withoutIdentifiers.sort()).toEqual(Object.keys(OPERATIONS_WITHOUT_IDENTIFIERS).sort());
    const missing = withIdentifiers.flatMap((operation) =>
      slots(operation)
        .filter(({ resource }) => own.identifiers[resource] === undefined)
        .map(
          ({ field, resource }) =>
            `${operation.name}: ${field} takes a ${resource}, which populateTenant() does not create`,
        ),
    );
    expect(missing).toEqual([]);
    const uncoveredIds = operations.flatMap(({ name, uncoveredIds }) =>
      uncoveredIds.map((field) => `${name}: ${field}`),
    );
    expect(uncoveredIds).toEqual([]);
    const names = new Set(operations.map(({ name }) => name));
    const overridden = [RESOURCE_OVERRIDES, BODY_OVERRIDES, CALLER_OVERRIDES].flatMap((lines) =>
      Object.keys(lines),
    );
    expect(overridden.filter((name) => !names.has(name))).toEqual([]);
  });

  if (withTokens) {
    it('returns 401 for an invalid token in every operation', async () => {
      const tokens = await invalidTokens(isolation.issuer, isolation.users.administrator);
      await isolation.expectRefused(
        isolation.operations.flatMap(({ name, templates: [template] }, index) =>
          everyNth(Object.entries(tokens), index, 5 * step).map(([kind, token]) => ({
            what: `${name} with ${kind}`,
            run: async () => {
              const { response } = await isolation.request(template as RequestTemplate, { token });
              assert.equal(response.status, 401);
              assert.match(response.headers['www-authenticate'] ?? '', /^Bearer/);
            },
          })),
        ),
      );
    });
  }

  it('returns 403 without the permission, the same for existing, foreign and unknown ids', async () => {
    const { tenant } = isolation.own;
    const members = new Map<string, Actor>();
    const attempts: Attempt[] = [];
    for (const { name, endpoint, templates } of everyNth(inTenants(), 0, step)) {
      if (endpoint.permission === 'member') continue;
      const needed: readonly string[] = [endpoint.permission].flat();
      const key = needed.join();
      const member =
        members.get(key) ?? (await tenant.with(...ALL_PERMISSIONS.filter((one) => !needed.includes(one))));
      members.set(key, member);
      for (const template of templates) {
        attempts.push({
          what: name,
          run: async () => {
            const { response, text } = await isolation.request(template, member);
            assert.equal(response.status, 403);
            for (const instead of [
              isolation.foreignIdentifiers(template.slots),
              unknownIdentifiers(template.slots),
            ])
              assert.equal((await isolation.request(template, { token: member.token, instead })).text, text);
          },
        });
      }
    }
    await isolation.expectRefused(attempts);
  });

  it('returns the same 403 to members of other tenants as for an unknown tenant', async () => {
    const { token } = isolation.foreignAdministrator;
    const unknownSlug = `t-${randomBytes(8).toString('hex')}`;
    await isolation.expectRefused(
      everyNth(isolation.operations, 1, step).flatMap((operation) =>
        operation.templates.map((template) => ({
          what: operation.name,
          run: async () => {
            const { response, text } = await isolation.request(template, { token });
            // Operations for invited users need no membership: they return 404, as for an unknown secret.
            assert.equal(
              response.status,
              operation.endpoint.permission === 'user' ? 404 : noAccess(operation),
            );
            assert.equal((await isolation.request(template, { token, slug: unknownSlug })).text, text);
          },
        })),
      ),
    );
  });

  it('returns 403 to a removed member from the next request on', async () => {
    const { own, client, users } = isolation;
    const operations = everyNth(inTenants(), 2, step);
    const members = await mapConcurrently(operations, () => own.tenant.as('administrator'));
    const path = `/api/v1/t/${own.tenant.slug}`;
    // Fill the instance's cache with the rights of these members.
    const known = await mapConcurrently(members, ({ token }) =>
      client.send({ method: 'GET', path: `${path}/me`, token }),
    );
    expect(known.filter(({ status }) => status !== 200)).toEqual([]);
    const { token } = users.administrator;
    for (const { userId } of members) {
      const removed = await client.send({ method: 'DELETE', path: `${path}/members/${userId}`, token });
      expect(removed.status).toBe(204);
    }
    await isolation.expectRefused(
      operations.map((operation, index) => ({
        what: operation.name,
        run: async () => {
          const removed = members[index] as Actor;
          const [template] = operation.templates as [RequestTemplate];
          const { response, text } = await isolation.request(template, removed);
          assert.equal(response.status, noAccess(operation));
          assert.equal((await isolation.request(template, isolation.foreignAdministrator)).text, text);
        },
      })),
    );
  });

  defineForeignIdentifierTests(() => isolation, step > 1);

  // This test comes last because it changes the own tenant.
  it('accepts the same requests with identifiers of the own tenant, and leaves the other unchanged', async () => {
    const { other } = await isolation.fingerprints();
    const attemptOf = (operation: TenantOperation, template: RequestTemplate): Attempt => ({
      what: operation.name,
      run: async () => {
        const { response } = await isolation.request(template, isolation.callerOf(operation));
        // A 409 also shows that the resource was found.
        assert.ok(response.status < 300 || response.status === 409, `${response.status} ${response.text}`);
      },
    });
    const filterAttempt = (operation: TenantOperation, template: RequestTemplate): Attempt => ({
      what: `${operation.name} by ${template.slots.map(({ field }) => field).join()}`,
      run: async () => {
        const { token } = isolation.callerOf(operation);
        const result = await isolation.request(template, { token });
        assert.equal(result.response.status, 200);
        const instead = unknownIdentifiers(template.slots.filter(({ location }) => location === 'query'));
        assert.notEqual((await isolation.request(template, { token, instead })).text, result.text);
      },
    });
    const reads = isolation.operations.filter(({ method }) => method === 'GET');
    const writes = isolation.operations.filter((operation) => !reads.includes(operation));
    const allOf = (operations: readonly TenantOperation[]) =>
      operations.flatMap((operation) =>
        operation.templates.map((template) => attemptOf(operation, template)),
      );
    const filterTemplates = isolation.operations.flatMap((operation) =>
      operation.filterTemplates.map((template) => filterAttempt(operation, template)),
    );
    expect(await isolation.failures([...allOf(reads), ...filterTemplates])).toEqual([]);
    // Run the writes one at a time, and those that delete resources at the end.
    for (const removing of [false, true]) {
      for (const one of allOf(writes.filter(({ method }) => (method === 'DELETE') === removing)))
        expect(await isolation.failures([one])).toEqual([]);
    }
    expect((await isolation.fingerprints()).other).toEqual(other);
  });

  return () => isolation;
}
