import { beforeEach, describe, expect, it } from '@jest/globals';
import { saveWebhook } from '../../factories/webhooks.js';
import { type Actor } from '../../support/actor.js';
import { pagedList } from '../../support/operations/paged-list.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';

async function fill(tenant: TestTenant, count: number): Promise<string[]> {
  const owner = await tenant.as('administrator');
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) ids.unshift((await saveWebhook(tenant, owner)).id);
  return ids;
}

describe('ListWebhooks', () => {
  let tenant: TestTenant;
  let admin: Actor;
  beforeEach(async () => {
    tenant = await service.tenant();
    admin = await tenant.as('administrator', 'Ada');
  });

  pagedList({
    actor: () => admin,
    other: () => tenant.as('administrator'),
    path: '/webhooks',
    otherPath: '/roles',
    fill,
  });

  it('returns 200 with the webhooks, newest first, without secrets and deleted ones', async () => {
    const [first, second, third] = (await fill(tenant, 3)).reverse();
    await admin.delete(`/webhooks/${second}`).expect(204);
    const body = (await admin.get('/webhooks').expect(200)).body as object;
    expect(body).toMatchObject({ items: [{ id: third }, { id: first }], nextCursor: null });
    expect(JSON.stringify(body)).not.toContain('secret');
  });
});
