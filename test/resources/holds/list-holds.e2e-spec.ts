import { beforeEach, describe, expect, it } from '@jest/globals';
import { saveHold } from '../../factories/holds.js';
import { type Actor } from '../../support/actor.js';
import { pagedList } from '../../support/operations/paged-list.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';

describe('ListHolds', () => {
  let tenant: TestTenant;
  let manager: Actor;
  beforeEach(async () => {
    tenant = await service.tenant();
    manager = await tenant.as('records_manager');
  });

  pagedList({
    actor: () => manager,
    other: () => tenant.as('administrator'),
    path: '/holds',
    otherPath: '/tags',
    fill: async (where, count) => {
      const ids: string[] = [];
      for (let n = 0; n < count; n += 1) ids.push((await saveHold(where, manager)).id);
      return ids.reverse();
    },
  });

  it('returns 200 with active and released holds, and not those of other tenants', async () => {
    const active = (await manager.post('/holds', { name: 'Prüfung', reason: 'Rechnungshof' })).body as object;
    const { id } = await saveHold(tenant, manager, { isReleased: true });
    await saveHold(await service.tenant(), manager);
    const response = await manager.get('/holds');
    expect([response.status, response.body]).toEqual([
      200,
      { items: [active, expect.objectContaining({ id, status: 'Released' })], nextCursor: null },
    ]);
  });
});
