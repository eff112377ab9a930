import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { ALL_PERMISSIONS } from '../../../../src/common/vocabulary/permissions.js';
import { type Actor } from '../../../support/actor.js';
import { badTokens } from './bad-tokens.js';
import { foreignThings } from './foreign-things.js';
import { inTurn } from '../../support/selection.js';
import { type Try, Wall, type WallGround, unknownIn } from '../../support/wall.js';
import { severalAtATime } from '../../support/wall-client.js';
import { type Form, type WallOperation } from '../../support/wall-operations.js';
import { BODIES, INVITED, NAMES_NOTHING, THINGS } from '../../support/wall-things.js';

/**
 * Every operation of the route table against everybody who has no business in a tenant, and against everything that
 * is not in it. A new operation is in it by itself; where it names what no settlement has, or nothing, it is missed.
 *
 * @param start the instance to be asked, started when the tests begin
 * @param options.step `npm test` asks every so many-th operation where all of them are asked in the same way, and makes
 * fewer tries of foreign things; `npm run test:exhaustive` makes all of them
 * @returns the two tenants, once the tests run
 */
export function tenantWall(
  start: () => Promise<WallGround>,
  { withTokens = true, step = 1 }: { readonly withTokens?: boolean; readonly step?: number } = {},
): () => Wall {
  // Seconds, on a machine that has nothing else to do.
  jest.setTimeout(600_000);
  let wall: Wall;
  beforeAll(async () => {
    wall = await Wall.build(await start());
  });
  afterAll(() => wall.stop());

  const inTenants = () => wall.operations.filter(({ endpoint }) => endpoint.permission !== 'user');
  const noAccess = ({ endpoint }: WallOperation) => endpoint.noAccess ?? 403;

  it('names something foreign in every operation, or says why there is nothing to name', () => {
    const { operations, own } = wall;
    const slots = ({ forms, filters }: WallOperation) => [...forms, ...filters].flatMap((form) => form.slots);
    const naming = operations.filter((operation) => slots(operation).length > 0 || operation.page !== null);
    const silent = operations.filter((operation) => !naming.includes(operation)).map(({ name }) => name);
    expect(silent.sort()).toEqual(Object.keys(NAMES_NOTHING).sort());
    const missing = naming.flatMap((operation) =>
      slots(operation)
        .filter(({ thing }) => own.things[thing] === undefined)
        .map(
          ({ place, thing }) =>
            `${operation.name}: ${place} names a ${thing}, of which a settlement has none`,
        ),
    );
    expect(missing).toEqual([]);
    const missed = operations.flatMap(({ name, missed }) => missed.map((place) => `${name}: ${place}`));
    expect(missed).toEqual([]);
    const names = new Set(operations.map(({ name }) => name));
    const told = [THINGS, BODIES, INVITED].flatMap((lines) => Object.keys(lines));
    expect(told.filter((name) => !names.has(name))).toEqual([]);
  });

  if (withTokens) {
    it('401: for whoever has no good token, whatever the operation', async () => {
      const tokens = await badTokens(wall.issuer, wall.people.administrator);
      await wall.expectRefused(
        wall.operations.flatMap(({ name, forms: [form] }, index) =>
          inTurn(Object.entries(tokens), index, 5 * step).map(([kind, token]) => ({
            what: `${name} with ${kind}`,
            run: async () => {
              const { answer } = await wall.ask(form as Form, { token });
              assert.equal(answer.status, 401);
              assert.match(answer.headers['www-authenticate'] ?? '', /^Bearer/);
            },
          })),
        ),
      );
    });
  }

  it('403: for a member with every permission but the one that it takes, alike for what is there and what is not', async () => {
    const { tenant } = wall.own;
    const members = new Map<string, Actor>();
    const tries: Try[] = [];
    for (const { name, endpoint, forms } of inTurn(inTenants(), 0, step)) {
      if (endpoint.permission === 'member') continue;
      const needed: readonly string[] = [endpoint.permission].flat();
      const key = needed.join();
      const member =
        members.get(key) ?? (await tenant.with(...ALL_PERMISSIONS.filter((one) => !needed.includes(one))));
      members.set(key, member);
      for (const form of forms) {
        tries.push({
          what: name,
          run: async () => {
            const { answer, text } = await wall.ask(form, member);
            assert.equal(answer.status, 403);
            for (const instead of [wall.foreignIn(form.slots), unknownIn(form.slots)])
              assert.equal((await wall.ask(form, { token: member.token, instead })).text, text);
          },
        });
      }
    }
    await wall.expectRefused(tries);
  });

  it('403: for a member of another tenant, exactly as for a tenant that does not exist', async () => {
    const { token } = wall.stranger;
    const nowhere = `t-${randomBytes(8).toString('hex')}`;
    await wall.expectRefused(
      inTurn(wall.operations, 1, step).flatMap((operation) =>
        operation.forms.map((form) => ({
          what: operation.name,
          run: async () => {
            const { answer, text } = await wall.ask(form, { token });
            // Whoever is invited is no member: for them it is the 404 of an unknown secret.
            assert.equal(answer.status, operation.endpoint.permission === 'user' ? 404 : noAccess(operation));
            assert.equal((await wall.ask(form, { token, slug: nowhere })).text, text);
          },
        })),
      ),
    );
  });

  it('403: for a member who has been removed, from the next request on', async () => {
    const { own, client, people } = wall;
    const operations = inTurn(inTenants(), 2, step);
    const members = await severalAtATime(operations, () => own.tenant.as('administrator'));
    const path = `/api/v1/t/${own.tenant.slug}`;
    // The instance knows all of them by heart.
    const known = await severalAtATime(members, ({ token }) =>
      client.send({ method: 'GET', path: `${path}/me`, token }),
    );
    expect(known.filter(({ status }) => status !== 200)).toEqual([]);
    const { token } = people.administrator;
    for (const { userId } of members) {
      const removed = await client.send({ method: 'DELETE', path: `${path}/members/${userId}`, token });
      expect(removed.status).toBe(204);
    }
    await wall.expectRefused(
      operations.map((operation, index) => ({
        what: operation.name,
        run: async () => {
          const removed = members[index] as Actor;
          const [form] = operation.forms as [Form];
          const { answer, text } = await wall.ask(form, removed);
          assert.equal(answer.status, noAccess(operation));
          assert.equal((await wall.ask(form, wall.stranger)).text, text);
        },
      })),
    );
  });

  foreignThings(() => wall, step > 1);

  // Last, for it changes the own tenant.
  it('lets the same requests through for what is there, and touches nothing of the other tenant', async () => {
    const { other } = await wall.prints();
    const asked = (operation: WallOperation, form: Form): Try => ({
      what: operation.name,
      run: async () => {
        const { answer } = await wall.ask(form, wall.callerOf(operation));
        // What was there may stand in the way (409), but it was there.
        assert.ok(answer.status < 300 || answer.status === 409, `${answer.status} ${answer.text}`);
      },
    });
    const filtered = (operation: WallOperation, form: Form): Try => ({
      what: `${operation.name} by ${form.slots.map(({ place }) => place).join()}`,
      run: async () => {
        const { token } = wall.callerOf(operation);
        const there = await wall.ask(form, { token });
        assert.equal(there.answer.status, 200);
        const instead = unknownIn(form.slots.filter(({ where }) => where === 'query'));
        assert.notEqual((await wall.ask(form, { token, instead })).text, there.text);
      },
    });
    const reads = wall.operations.filter(({ method }) => method === 'GET');
    const writes = wall.operations.filter((operation) => !reads.includes(operation));
    const allOf = (operations: readonly WallOperation[]) =>
      operations.flatMap((operation) => operation.forms.map((form) => asked(operation, form)));
    const filters = wall.operations.flatMap((operation) =>
      operation.filters.map((form) => filtered(operation, form)),
    );
    expect(await wall.faults([...allOf(reads), ...filters])).toEqual([]);
    // One after the other, and what takes things away at the end.
    for (const removing of [false, true]) {
      for (const one of allOf(writes.filter(({ method }) => (method === 'DELETE') === removing)))
        expect(await wall.faults([one])).toEqual([]);
    }
    expect((await wall.prints()).other).toEqual(other);
  });

  return () => wall;
}
