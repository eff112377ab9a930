import { expect, it } from '@jest/globals';
import { type Test } from 'supertest';
import { ALL_PERMISSIONS } from '../../../../src/common/vocabulary/permissions.js';
import { DISPOSAL_READERS } from '../../../../src/resources/disposals/disposals.reader.js';
import { type Actor } from '../../../support/actor.js';
import { expectProblem } from '../../../support/expect-problem.js';
import { type TestTenant } from '../../../support/tenant.js';

/** Tests that one of the permissions to read disposals is enough, and needed. */
export function onlyForReaders({
  tenant,
  send,
}: {
  readonly tenant: () => TestTenant;
  readonly send: (actor: Actor) => Test;
}): void {
  it('returns 403 to a member without a permission to read disposals', async () => {
    const readers: readonly string[] = DISPOSAL_READERS;
    const others = ALL_PERMISSIONS.filter((permission) => !readers.includes(permission));
    expectProblem(await send(await tenant().with(...others)), 'permission.missing');
  });

  it.each(DISPOSAL_READERS)('returns 200 to a member with %s', async (permission) => {
    expect((await send(await tenant().with(permission))).status).toBe(200);
  });
}
