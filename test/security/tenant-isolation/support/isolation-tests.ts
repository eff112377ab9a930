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
 * Every operation of the route table against everybody who has no business in a tenant, and against everything that
 * is not in it. A new operation is in it by itself; where it names what no populated has, or nothing, it is uncoveredIds.
 *
 * @param start the instance to be asked, started when the tests begin
 * @param options.step `npm test` asks every so many-th operation where all of them are asked in the same way, and makes
 * fewer attempts of foreign identifiers; `npm run test:exhaustive` makes all of them
 * @returns the two tenants, once the tests run
 */
export function defineIsolationTests(
  start: () => Promise<IsolationFixture>,
  { withTokens = true, step = 1 }: { readonly withTokens?: boolean; readonly step?: number } = {},
): () => IsolationTest {
  // Seconds, on a machine that has nothing else to do.
  jest.setTimeout(600_000);
  let isolation: IsolationTest;
  beforeAll(async () => {
    isolation = await IsolationTest.build(await start());
  });
  afterAll(() => isolation.stop());

  const inTenants = () => isolation.operations.filter(({ endpoint }) => endpoint.permission !== 'user');
  const noAccess = ({ endpoint }: TenantOperation) => endpoint.noAccess ?? 403;

  it('names something foreign in every operation, or says why there is nothing to name', () => {
    const { operations, own } = isolation;
    const slots = ({ templates, filterTemplates }: TenantOperation) =>
      [...templates, ...filterTemplates].flatMap((template) => template.slots);
    const naming = operations.filter((operation) => slots(operation).length > 0 || operation.page !== null);
    const silent = operations.filter((operation) => !naming.includes(operation)).map(({ name }) => name);
    expect(silent.sort()).toEqual(Object.keys(OPERATIONS_WITHOUT_IDENTIFIERS).sort());
    const missing = naming.flatMap((operation) =>
      slots(operation)
        .filter(({ resource }) => own.identifiers[resource] === undefined)
        .map(
          ({ field, resource }) =>
            `${operation.name}: ${field} names a ${resource}, of which a populated has none`,
        ),
    );
    expect(missing).toEqual([]);
    const uncoveredIds = operations.flatMap(({ name, uncoveredIds }) =>
      uncoveredIds.map((field) => `${name}: ${field}`),
    );
    expect(uncoveredIds).toEqual([]);
    const names = new Set(operations.map(({ name }) => name));
    const told = [RESOURCE_OVERRIDES, BODY_OVERRIDES, CALLER_OVERRIDES].flatMap((lines) =>
      Object.keys(lines),
    );
    expect(told.filter((name) => !names.has(name))).toEqual([]);
  });

  if (withTokens) {
    it('401: for whoever has no good token, whatever the operation', async () => {
      const tokens = await invalidTokens(isolation.issuer, isolation.users.administrator);
      await isolation.expectRefused(
        isolation.operations.flatMap(({ name, templates: [template] }, index) =>
          everyNth(Object.entries(tokens), index, 5 * step).map(([kind, token]) => ({
            what: `${name} with ${kind}`,
            run: async () => {
              const { answer } = await isolation.ask(template as RequestTemplate, { token });
              assert.equal(answer.status, 401);
              assert.match(answer.headers['www-authenticate'] ?? '', /^Bearer/);
            },
          })),
        ),
      );
    });
  }

  it('403: for a member with every permission but the one that it takes, alike for what is there and what is not', async () => {
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
            const { answer, text } = await isolation.ask(template, member);
            assert.equal(answer.status, 403);
            for (const instead of [
              isolation.foreignIdentifiers(template.slots),
              unknownIdentifiers(template.slots),
            ])
              assert.equal((await isolation.ask(template, { token: member.token, instead })).text, text);
          },
        });
      }
    }
    await isolation.expectRefused(attempts);
  });

  it('403: for a member of another tenant, exactly as for a tenant that does not exist', async () => {
    const { token } = isolation.foreignAdministrator;
    const nowhere = `t-${randomBytes(8).toString('hex')}`;
    await isolation.expectRefused(
      everyNth(isolation.operations, 1, step).flatMap((operation) =>
        operation.templates.map((template) => ({
          what: operation.name,
          run: async () => {
            const { answer, text } = await isolation.ask(template, { token });
            // Whoever is invited is no member: for them it is the 404 of an unknown secret.
            assert.equal(answer.status, operation.endpoint.permission === 'user' ? 404 : noAccess(operation));
            assert.equal((await isolation.ask(template, { token, slug: nowhere })).text, text);
          },
        })),
      ),
    );
  });

  it('403: for a member who has been removed, from the next request on', async () => {
    const { own, client, users } = isolation;
    const operations = everyNth(inTenants(), 2, step);
    const members = await mapConcurrently(operations, () => own.tenant.as('administrator'));
    const path = `/api/v1/t/${own.tenant.slug}`;
    // The instance knows all of them by heart.
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
          const { answer, text } = await isolation.ask(template, removed);
          assert.equal(answer.status, noAccess(operation));
          assert.equal((await isolation.ask(template, isolation.foreignAdministrator)).text, text);
        },
      })),
    );
  });

  defineForeignIdentifierTests(() => isolation, step > 1);

  // Last, for it changes the own tenant.
  it('lets the same requests through for what is there, and touches nothing of the other tenant', async () => {
    const { other } = await isolation.fingerprints();
    const asked = (operation: TenantOperation, template: RequestTemplate): Attempt => ({
      what: operation.name,
      run: async () => {
        const { answer } = await isolation.ask(template, isolation.callerOf(operation));
        // What was there may stand in the way (409), but it was there.
        assert.ok(answer.status < 300 || answer.status === 409, `${answer.status} ${answer.text}`);
      },
    });
    const filtered = (operation: TenantOperation, template: RequestTemplate): Attempt => ({
      what: `${operation.name} by ${template.slots.map(({ field }) => field).join()}`,
      run: async () => {
        const { token } = isolation.callerOf(operation);
        const there = await isolation.ask(template, { token });
        assert.equal(there.answer.status, 200);
        const instead = unknownIdentifiers(template.slots.filter(({ location }) => location === 'query'));
        assert.notEqual((await isolation.ask(template, { token, instead })).text, there.text);
      },
    });
    const reads = isolation.operations.filter(({ method }) => method === 'GET');
    const writes = isolation.operations.filter((operation) => !reads.includes(operation));
    const allOf = (operations: readonly TenantOperation[]) =>
      operations.flatMap((operation) => operation.templates.map((template) => asked(operation, template)));
    const filterTemplates = isolation.operations.flatMap((operation) =>
      operation.filterTemplates.map((template) => filtered(operation, template)),
    );
    expect(await isolation.failures([...allOf(reads), ...filterTemplates])).toEqual([]);
    // One after the other, and what takes identifiers away at the end.
    for (const removing of [false, true]) {
      for (const one of allOf(writes.filter(({ method }) => (method === 'DELETE') === removing)))
        expect(await isolation.failures([one])).toEqual([]);
    }
    expect((await isolation.fingerprints()).other).toEqual(other);
  });

  return () => isolation;
}
