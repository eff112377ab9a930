import { beforeEach, describe, expect, it } from '@jest/globals';
import { saveAccessGrant } from '../../factories/access-grants.js';
import { saveFile } from '../../factories/files.js';
import { type Actor } from '../../support/actor.js';
import { expectProblem } from '../../support/expect-problem.js';
import { expectRefused } from '../../support/expect-refused.js';
import { SecondInstance } from '../../support/service/second-instance.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';

describe('RevokeAccess', () => {
  let tenant: TestTenant;
  let manager: Actor;
  let guest: Actor;
  let file: { id: string; fileTypeId: string };
  let grantId: string;
  beforeEach(async () => {
    tenant = await service.tenant();
    manager = await tenant.as('records_manager', 'Rita');
    guest = await tenant.as('guest', 'Gustav');
    file = await saveFile(tenant, manager, { number: 'AZ-1', name: 'Fire station' });
    grantId = await saveAccessGrant(tenant, guest, { file: file.id }, { level: 'Write' });
  });

  const statusOf = async (id: string) => {
    const { items } = (await manager.get('/access-grants')).body as {
      items: { id: string; status: string }[];
    };
    return items.find((grant) => grant.id === id)?.status;
  };

  it('returns 204, writes an audit entry and notifies the user', async () => {
    const response = await manager.delete(`/access-grants/${grantId}`).set('If-Match', '"something"');
    expect([response.status, response.text]).toEqual([204, '']);
    expect(await tenant.audit()).toEqual([
      manager.entry('AccessRevoked', 'AccessGrant', grantId, 'Write: Gustav → AZ-1: Fire station'),
    ]);
    expect(await tenant.notifications()).toEqual([
      {
        user_id: guest.userId,
        type: 'AccessRevoked',
        parameters: { grantId, targetType: 'File', targetId: file.id, level: 'Write', actorName: 'Rita' },
      },
    ]);
    expect(await statusOf(grantId)).toBe('Revoked');
  });

  it('returns 204 for a caller who could not have created the grant', async () => {
    const janitor = await tenant.with('accessGrants.manage');
    expect((await janitor.delete(`/access-grants/${grantId.toUpperCase()}`)).status).toBe(204);
  });

  it('returns 204 with ids in the summary when the file and the member no longer exist', async () => {
    await tenant.query('DELETE FROM files WHERE tenant_id = $1 AND id = $2', file.id);
    await tenant.query('DELETE FROM members WHERE tenant_id = $1 AND user_id = $2', guest.userId);
    expect((await manager.delete(`/access-grants/${grantId}`)).status).toBe(204);
    expect((await tenant.audit())[0]?.summary).toBe(`Write: ${guest.userId} → ${file.id}`);
    expect(await tenant.notifications()).toEqual([]);
  });

  it('returns 204 and notifies each member of the role except the caller', async () => {
    const colleague = await tenant.as('records_manager');
    const toRole = await saveAccessGrant(tenant, manager, { fileType: file.fileTypeId }, { toRole: true });
    expect((await manager.delete(`/access-grants/${toRole}`)).status).toBe(204);
    expect((await tenant.notifications()).map(({ user_id, type }) => [user_id, type])).toEqual([
      [colleague.userId, 'AccessRevoked'],
    ]);
  });

  it('returns 204 and refuses the next request of the user on every instance', async () => {
    const second = await SecondInstance.start(service);
    try {
      const onOtherInstance = second.actor(guest);
      for (const who of [guest, onOtherInstance]) {
        expect((await who.get(`/files/${file.id}`)).status).toBe(200);
        expect((await who.put(`/files/${file.id}`, { name: 'Ours' })).status).toBe(200);
      }
      await manager.delete(`/access-grants/${grantId}`).expect(204);
      for (const who of [guest, onOtherInstance]) {
        expectProblem(await who.get('/files'), 'permission.missing');
        expectProblem(await who.get(`/files/${file.id}`), 'permission.missing');
        expectProblem(await who.put(`/files/${file.id}`, { name: 'Mine' }), 'permission.missing');
      }
    } finally {
      await second.stop();
    }
  });

  it('returns 204 and keeps another grant on the same file', async () => {
    await saveAccessGrant(tenant, guest, { file: file.id });
    await manager.delete(`/access-grants/${grantId}`).expect(204);
    expect((await guest.get(`/files/${file.id}`)).status).toBe(200);
    expectProblem(await guest.put(`/files/${file.id}`, { name: 'Mine' }), 'permission.missing');
  });

  it.each([
    ['has expired', { expiresAt: 'now()' }],
    ['expired long ago', { expiresAt: `now() - interval '1 year'` }],
    ['was revoked', { revoked: true }],
  ])('returns 409 for a grant that %s', async (_, overrides) => {
    const ended = await saveAccessGrant(tenant, guest, { file: file.id }, overrides);
    await expectRefused(tenant, () => manager.delete(`/access-grants/${ended}`), 'access-grant.ended');
  });

  it('returns 204 to exactly one of several concurrent requests, 409 to the others', async () => {
    const statuses = await Promise.all(
      [1, 2, 3, 4].map(async () => (await manager.delete(`/access-grants/${grantId}`)).status),
    );
    expect(statuses.sort()).toEqual([204, 409, 409, 409]);
    expect(await tenant.audit()).toHaveLength(1);
    expect(await tenant.notifications()).toHaveLength(1);
  });
});
