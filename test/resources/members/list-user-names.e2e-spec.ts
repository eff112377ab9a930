import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { type Actor } from '../../support/actor.js';
import { expectProblem } from '../../support/expect-problem.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';

describe('ListUserNames', () => {
  let tenant: TestTenant;
  let viewer: Actor;
  let editor: Actor;
  beforeEach(async () => {
    tenant = await service.tenant();
    viewer = await tenant.as('viewer', 'Vera Viewer');
    editor = await tenant.as('editor', 'Edda Editor');
  });

  const names = (ids: readonly string[], actor = viewer) => actor.get(`/users?ids=${ids.join(',')}`);

  it('returns 200 with the names by id, and writes nothing', async () => {
    const ids = [viewer.userId, editor.userId].sort();
    const displayNames = new Map([
      [viewer.userId, 'Vera Viewer'],
      [editor.userId, 'Edda Editor'],
    ]);
    const response = await tenant.expectNoChange(() => names([ids[1]!, ids[0]!.toUpperCase()]).expect(200));
    expect(response.body).toEqual(ids.map((userId) => ({ userId, displayName: displayNames.get(userId) })));
  });

  it('returns 200 without users of other tenants, former members and unknown ids', async () => {
    const stranger = await (await service.tenant()).as('editor', 'Stranger');
    const administrator = await tenant.as('administrator');
    expect((await administrator.delete(`/members/${editor.userId}`)).status).toBe(204);
    expect((await names([stranger.userId, editor.userId, randomUUID()])).body).toEqual([]);
  });

  it('returns 200 with an empty list without ids', async () => {
    const response = await viewer.get('/users');
    expect([response.status, response.body]).toEqual([200, []]);
  });

  it('returns 200 without a name for a member who has not called this tenant', async () => {
    const roleId = await tenant.roleId('viewer');
    const administrator = await tenant.as('administrator');
    const body = { issuer: service.issuer.url, subject: randomUUID(), roleId };
    const { userId } = (await administrator.post('/members', body)).body as { userId: string };
    expect((await names([userId])).body).toEqual([{ userId, displayName: null }]);
  });

  it('returns 400 for more than 100 ids, and for what is no id', async () => {
    const many = Array.from({ length: 101 }, () => randomUUID());
    for (const ids of [many, ['x']]) expectProblem(await names(ids), 'request.invalid', ['ids']);
    expect((await names(many.slice(1))).status).toBe(200);
  });
});
