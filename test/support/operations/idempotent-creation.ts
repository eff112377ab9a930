import { expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { type Response, type Test } from 'supertest';
import { type Permission, ALL_PERMISSIONS } from '../../../src/common/vocabulary/permissions.js';
import { type Actor } from '../actor.js';
import { expectProblem } from '../expect-problem.js';
import { type TestTenant } from '../tenant.js';

export interface CreationUnderTest {
  readonly tenant: () => TestTenant;
  readonly actor: () => Actor;
  readonly permission: Permission;
  /** What somebody with the permission must hold besides, to create such a thing. */
  readonly otherPermissions?: readonly Permission[];
  /** Creates the n-th thing: another n, another body, which clashes with none of the others. */
  readonly send: (actor: Actor, n: number) => Test;
  /** A request that is refused; without one, creating the first thing again, which then must clash. */
  readonly failing?: (actor: Actor) => Test;
  /** Members of the answer that only the first request gets. */
  readonly shownOnce?: readonly string[];
  /** What a key that is used for another request is answered with. */
  readonly reusedKeyProblem: 'request.idempotency-conflict' | 'request.idempotency-key-reused';
}

/** Idempotency-Key on a POST that creates. */
export function idempotentCreation({
  tenant,
  actor,
  permission,
  otherPermissions = [],
  send,
  failing = (who) => send(who, 1),
  shownOnce = [],
  reusedKeyProblem,
}: CreationUnderTest): void {
  const keyed = (who: Actor, n: number, key: string) => send(who, n).set('Idempotency-Key', key);
  /** The answer's text as every request with the key gets it. */
  const lasting = ({ text }: Response) =>
    JSON.stringify(JSON.parse(text), (member, value: unknown) =>
      shownOnce.includes(member) ? undefined : value,
    );

  it('201: once for all requests with one Idempotency-Key, with one answer and its entity tag', async () => {
    const key = randomUUID();
    const first = await keyed(actor(), 1, key);
    expect(first.status).toBe(201);
    const before = await tenant().fingerprint();
    const second = await keyed(actor(), 1, key);
    expect([second.status, second.text, second.headers.etag]).toEqual([
      201,
      lasting(first),
      first.headers.etag,
    ]);
    expect(await tenant().fingerprint()).toEqual(before);
  });

  it('201: once for requests with one Idempotency-Key that come at the same time', async () => {
    const key = randomUUID();
    const responses = await Promise.all([1, 2, 3, 4].map(() => keyed(actor(), 1, key)));
    expect(responses.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    expect(new Set(responses.map(lasting)).size).toBe(1);
    expect(await tenant().audit()).toHaveLength(1);
  });

  it('201: anew with an Idempotency-Key of another caller, and once it is 24 hours old', async () => {
    const key = randomUUID();
    const other = await tenant().with(...ALL_PERMISSIONS);
    const [one, two] = [await keyed(actor(), 1, key), await keyed(other, 2, key)];
    expect([one.status, two.status]).toEqual([201, 201]);
    const age = (interval: string) =>
      tenant().service.query(
        `UPDATE idempotency_keys SET created_at = now() - $2::interval WHERE tenant_id = $1`,
        [tenant().id, interval],
      );
    await age('23 hours 59 minutes');
    expectProblem(await keyed(actor(), 3, key), reusedKeyProblem);
    await age('24 hours');
    const three = await keyed(actor(), 3, key);
    expect(three.status).toBe(201);
    expect((await keyed(actor(), 3, key)).text).toBe(lasting(three));
  });

  it('201: for a request that was refused with the same Idempotency-Key, since a refusal is not kept', async () => {
    const key = randomUUID();
    const first = await send(actor(), 1);
    expect(first.status).toBe(201);
    expect((await failing(actor()).set('Idempotency-Key', key)).status).toBeGreaterThanOrEqual(400);
    expect((await keyed(actor(), 2, key)).status).toBe(201);
  });

  it(`${reusedKeyProblem === 'request.idempotency-conflict' ? 409 : 400}: for another request with a used Idempotency-Key`, async () => {
    const key = randomUUID();
    await keyed(actor(), 1, key);
    const before = await tenant().fingerprint();
    expectProblem(await keyed(actor(), 2, key), reusedKeyProblem);
    expect(await tenant().fingerprint()).toEqual(before);
  });

  it('403: for a repeated request of somebody who has lost the permission', async () => {
    const key = randomUUID();
    const member = await tenant().with(permission, ...otherPermissions);
    expect((await keyed(member, 1, key)).status).toBe(201);
    await tenant().service.query(
      `UPDATE roles SET permissions = '{}' WHERE tenant_id = $1
          AND id = (SELECT role_id FROM members WHERE tenant_id = $1 AND user_id = $2)`,
      [tenant().id, member.userId],
    );
    await tenant().increaseAccessVersion();
    expectProblem(await keyed(member, 1, key), 'permission.missing');
  });

  it.each(['', 'with space', 'ü', 'x'.repeat(256)])('400: for the Idempotency-Key %j', async (key) => {
    const before = await tenant().fingerprint();
    expectProblem(await keyed(actor(), 1, key), 'request.invalid', ['Idempotency-Key']);
    expect(await tenant().fingerprint()).toEqual(before);
  });
}
