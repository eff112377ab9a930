import { expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { type Response, type Test } from 'supertest';
import { type Permission, ALL_PERMISSIONS } from '../../../src/common/vocabulary/permissions.js';
import { type Actor } from '../actor.js';
import { expectProblem } from '../expect-problem.js';

export interface CreationUnderTest {
  readonly actor: () => Actor;
  readonly permission: Permission;
  /** Other permissions that a caller needs to create the resource. */
  readonly otherPermissions?: readonly Permission[];
  /** Sends the creation with body number n. Different numbers give bodies that do not conflict with each other. */
  readonly send: (actor: Actor, n: number) => Test;
  /** Sends a request that fails. By default it creates resource 1 a second time, which must conflict. */
  readonly failing?: (actor: Actor) => Test;
  /** Members that only the first answer contains, not the answers to repeated requests. */
  readonly shownOnce?: readonly string[];
  /** Default: 201. */
  readonly success?: 201 | 202;
}

/** Tests of Idempotency-Key for a POST that creates a resource. */
export function idempotentCreation({
  actor,
  permission,
  otherPermissions = [],
  send,
  failing = (who) => send(who, 1),
  shownOnce = [],
  success = 201,
}: CreationUnderTest): void {
  const tenant = () => actor().tenant;
  const keyed = (who: Actor, n: number, key: string) => send(who, n).set('Idempotency-Key', key);
  /** The text of the answer without the members of `shownOnce`. */
  const repeatable = ({ text }: Response) =>
    JSON.stringify(JSON.parse(text), (member, value: unknown) =>
      shownOnce.includes(member) ? undefined : value,
    );

  it('returns 409 for an Idempotency-Key of a different request; the first answer for the same one', async () => {
    const key = randomUUID();
    const first = await keyed(actor(), 1, key);
    expect(first.status).toBe(success);
    const before = await tenant().fingerprint();
    const second = await keyed(actor(), 1, key);
    expect([second.status, second.text, second.headers.etag]).toEqual([
      success,
      repeatable(first),
      first.headers.etag,
    ]);
    expectProblem(await keyed(actor(), 2, key), 'request.idempotency-conflict');
    for (const invalid of ['', 'with space', 'ü', 'x'.repeat(256)])
      expectProblem(await keyed(actor(), 1, invalid), 'request.invalid', ['Idempotency-Key']);
    expect(await tenant().fingerprint()).toEqual(before);
  });

  it(`returns ${success} and creates one resource for concurrent requests with one Idempotency-Key; a key of a failed request can be used again`, async () => {
    const key = randomUUID();
    const responses = await Promise.all([1, 2, 3, 4].map(() => keyed(actor(), 1, key)));
    expect(responses.map(({ status }) => status)).toEqual([success, success, success, success]);
    expect(new Set(responses.map(repeatable)).size).toBe(1);
    expect(await tenant().audit()).toHaveLength(1);
    const failedKey = randomUUID();
    const failed = await failing(actor()).set('Idempotency-Key', failedKey);
    expect(failed.status).toBeGreaterThanOrEqual(400);
    expect((await keyed(actor(), 2, failedKey)).status).toBe(success);
  });

  it(`returns ${success} for a key that another caller used, or that is 24 hours old`, async () => {
    const key = randomUUID();
    const other = await tenant().with(...ALL_PERMISSIONS);
    const [one, two] = [await keyed(actor(), 1, key), await keyed(other, 2, key)];
    expect([one.status, two.status]).toEqual([success, success]);
    const age = (interval: string) =>
      tenant().service.query(
        `UPDATE idempotency_keys SET created_at = now() - $2::interval WHERE tenant_id = $1`,
        [tenant().id, interval],
      );
    await age('23 hours 59 minutes');
    expectProblem(await keyed(actor(), 3, key), 'request.idempotency-conflict');
    await age('24 hours 1 minute');
    const three = await keyed(actor(), 3, key);
    expect(three.status).toBe(success);
    expect((await keyed(actor(), 3, key)).text).toBe(repeatable(three));
  });

  it('returns 403 to a repeated request when the caller has lost the permission', async () => {
    const key = randomUUID();
    const member = await tenant().with(permission, ...otherPermissions);
    expect((await keyed(member, 1, key)).status).toBe(success);
    await tenant().service.query(
      `UPDATE roles SET permissions = '{}' WHERE tenant_id = $1
          AND id = (SELECT role_id FROM members WHERE tenant_id = $1 AND user_id = $2)`,
      [tenant().id, member.userId],
    );
    await tenant().increaseAccessVersion();
    expectProblem(await keyed(member, 1, key), 'permission.missing');
  });
}
