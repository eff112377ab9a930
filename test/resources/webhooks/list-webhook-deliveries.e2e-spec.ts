import { beforeEach, describe, expect, it } from '@jest/globals';
import { saveDelivery, saveWebhook } from '../../factories/webhooks.js';
import { type Actor } from '../../support/actor.js';
import { expectProblem } from '../../support/expect-problem.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';
import { readAll } from '../../support/operations/paged-list.js';

describe('ListWebhookDeliveries', () => {
  let tenant: TestTenant;
  let admin: Actor;
  let id: string;
  beforeEach(async () => {
    tenant = await service.tenant();
    admin = await tenant.as('administrator', 'Ada');
    ({ id } = await saveWebhook(tenant, admin, { types: ['TagCreated'] }));
  });
  describe('as a paged list', () => {
    const path = '/webhooks/0199f7a4-6c1e-7b52-9d2e-00000000000a/deliveries';

    it('returns 200 with every delivery once, newest first', async () => {
      const ids: string[] = [];
      for (let n = 0; n < 5; n += 1) ids.unshift((await saveDelivery(tenant, id)).id);
      expect((await readAll(admin, `/webhooks/${id}/deliveries`, 2)).map((item) => item.id)).toEqual(ids);
    });

    it('returns 400 for a cursor of another webhook or status, an invalid limit and an unknown status', async () => {
      const other = await saveWebhook(tenant, admin);
      for (let n = 0; n < 2; n += 1) await saveDelivery(tenant, id);
      const { nextCursor } = (await admin.get(`/webhooks/${id}/deliveries?limit=1`)).body as {
        nextCursor: string;
      };
      for (const query of [
        `${other.id}/deliveries?cursor=${nextCursor}`,
        `${id}/deliveries?status=Failed&cursor=${nextCursor}`,
      ])
        expectProblem(await admin.get(`/webhooks/${query}`), 'request.invalid', ['cursor']);
      expectProblem(await admin.get(`/webhooks/${id}/deliveries?limit=0&status=Sent`), 'request.invalid', [
        'limit',
        'status',
      ]);
    });

    it('returns 404 for an unknown webhook', async () => {
      expectProblem(await admin.get(path), 'resource.not-found');
    });
  });

  it('returns 200 with the deliveries of one status', async () => {
    const created: Record<string, string> = {};
    for (const status of ['Pending', 'Delivered', 'Failed'] as const)
      created[status] = (await saveDelivery(tenant, id, { status })).id;
    for (const status of ['Pending', 'Delivered', 'Failed'])
      expect((await admin.get(`/webhooks/${id}/deliveries?status=${status}`)).body).toMatchObject({
        items: [{ id: created[status], status }],
        nextCursor: null,
      });
  });

  it('returns 200 without deliveries of other webhooks', async () => {
    const other = await saveWebhook(tenant, admin);
    await saveDelivery(tenant, other.id);
    expect((await admin.get(`/webhooks/${id}/deliveries`)).body).toEqual({ items: [], nextCursor: null });
  });
});
