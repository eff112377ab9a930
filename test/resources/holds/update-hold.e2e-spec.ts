import { beforeEach, describe, expect, it } from '@jest/globals';
import { releaseHold, saveHold } from '../../factories/holds.js';
import { type Actor } from '../../support/actor.js';
import { expectRefused } from '../../support/expect-refused.js';
import { conditionalWrites } from '../../support/operations/conditional-writes.js';
import { textRules } from '../../support/operations/text-rules.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';

describe('UpdateHold', () => {
  let tenant: TestTenant;
  let manager: Actor;
  let path: string;
  beforeEach(async () => {
    tenant = await service.tenant();
    manager = await tenant.as('records_manager', 'Rita');
    path = `/holds/${(await saveHold(tenant, manager)).id}`;
  });
  const body = { name: 'Berufung', reason: 'Urteil vom 4. Mai' };

  textRules({
    tenant: () => tenant,
    member: 'name',
    max: 200,
    body: () => body,
    send: (sent) => manager.put(path, sent),
    success: 200,
  });
  conditionalWrites({
    actor: () => manager,
    path: () => path,
    send: (actor, at) => actor.put(at, body),
    success: 200,
  });

  it('returns 200 with the new name and reason, and writes an audit entry without them', async () => {
    const before = (await manager.get(path)).body as object;
    const response = await manager.put(path, body);
    expect([response.status, response.body]).toEqual([200, { ...before, ...body }]);
    expect((await manager.get(path)).headers.etag).toBe(response.headers.etag);
    expect(await tenant.audit()).toEqual([
      manager.entry('HoldUpdated', 'Hold', path.split('/').at(-1)!, null),
    ]);
    expect(await tenant.notifications()).toEqual([]);
  });

  it('returns 200 and writes nothing when nothing changes', async () => {
    await manager.put(path, body);
    expect((await tenant.expectNoChange(() => manager.put(path, body))).body).toMatchObject(body);
  });

  it('returns 400 without a reason', async () => {
    await expectRefused(tenant, () => manager.put(path, { name: 'x' }), 'request.invalid', ['reason']);
  });

  it('returns 409 for a released hold', async () => {
    await releaseHold(tenant, path.split('/').at(-1) ?? '');
    await expectRefused(tenant, () => manager.put(path, body), 'hold.released');
  });
});
