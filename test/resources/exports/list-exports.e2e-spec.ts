import { beforeEach, describe, expect, it } from '@jest/globals';
import { saveExport } from '../../factories/exports.js';
import { type Actor } from '../../support/actor.js';
import { pagedList } from '../../support/operations/paged-list.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';

describe('ListExports', () => {
  let tenant: TestTenant;
  let viewer: Actor;
  beforeEach(async () => {
    tenant = await service.tenant();
    viewer = await tenant.as('viewer');
  });

  pagedList({
    actor: () => viewer,
    other: () => tenant.as('editor'),
    path: '/exports',
    otherPath: '/tags',
    fill: async (target, count) => {
      const ids: string[] = [];
      for (let n = 0; n < count; n += 1) {
        const { id } = await saveExport(target, viewer, { status: 'Expired' });
        ids.unshift(id);
      }
      return ids;
    },
  });

  it('returns 200 with the exports of the caller only, newest first', async () => {
    const older = await saveExport(tenant, viewer, { name: 'Older', status: 'Failed' });
    await tenant.query(
      `UPDATE exports SET created_at = $2 WHERE tenant_id = $1`,
      new Date(Date.now() - 86_400_000),
    );
    const newer = await saveExport(tenant, viewer, { name: 'Newer' });
    await saveExport(tenant, await tenant.as('administrator'));
    const response = await viewer.get('/exports').expect(200);
    expect(response.body).toMatchObject({
      items: [
        { id: newer.id, name: 'Newer', status: 'Ready', failure: null },
        { id: older.id, name: 'Older', status: 'Failed', failure: 'ServiceError' },
      ],
      nextCursor: null,
    });
  });
});
