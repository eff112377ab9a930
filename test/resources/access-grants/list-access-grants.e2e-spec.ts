import { beforeEach, describe, expect, it } from '@jest/globals';
import { saveAccessGrant } from '../../factories/access-grants.js';
import { saveFile } from '../../factories/files.js';
import { type Actor } from '../../support/actor.js';
import { type PageBody, pagedList } from '../../support/operations/paged-list.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';

describe('ListAccessGrants', () => {
  let tenant: TestTenant;
  let auditor: Actor;
  beforeEach(async () => {
    tenant = await service.tenant();
    auditor = await tenant.as('auditor');
  });

  pagedList({
    actor: () => auditor,
    other: () => tenant.as('records_manager'),
    path: '/access-grants',
    otherPath: '/audit-log',
    fill: async (where, count) => {
      const guest = await where.as('guest');
      const file = await saveFile(where, guest);
      const ids: string[] = [];
      for (let n = 0; n < count; n += 1) ids.push(await saveAccessGrant(where, guest, { file: file.id }));
      // The same time for all, so that the id decides the order.
      await where.query(`UPDATE access_grants SET created_at = '2026-01-01' WHERE tenant_id = $1`);
      return ids.sort().reverse();
    },
  });

  it('returns 200 with the grants and their current status, newest first', async () => {
    const manager = await tenant.as('records_manager');
    const guest = await tenant.as('guest');
    const file = await saveFile(tenant, manager);
    const create = async (level: string, expiresAt: string | null) => {
      const body = { subjectType: 'User', subjectId: guest.userId, targetType: 'File', targetId: file.id };
      const response = await manager.post('/access-grants', { ...body, level, expiresAt }).expect(201);
      return response.body as { id: string };
    };
    const active = await create('Read', null);
    const limited = await create('Write', '2999-01-01T00:00:00Z');
    const expired = await create('Read', '2999-01-01T00:00:00Z');
    const revoked = await create('Read', '2999-01-01T00:00:00Z');
    await service.query(`UPDATE access_grants SET expires_at = now() - interval '1 second' WHERE id = $1`, [
      expired.id,
    ]);
    await manager.delete(`/access-grants/${revoked.id}`).expect(204);

    const response = await auditor.get('/access-grants').expect(200);

    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(response.body).toEqual({
      items: [
        { ...revoked, status: 'Revoked', revokedAt: time },
        { ...expired, status: 'Expired', expiresAt: time, revokedAt: null },
        limited,
        active,
      ],
      nextCursor: null,
    });
    expect(response.headers.etag).toBeUndefined();
  });

  it('returns 200 with the status Revoked for a revoked grant that has also expired', async () => {
    const guest = await tenant.as('guest');
    const file = await saveFile(tenant, guest);
    await saveAccessGrant(tenant, guest, { file: file.id }, { expiresAt: 'now()', revoked: true });
    const { items } = (await auditor.get('/access-grants')).body as PageBody;
    expect(items).toEqual([expect.objectContaining({ status: 'Revoked' })]);
  });
});
