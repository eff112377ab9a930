import { beforeEach, describe, expect, it } from '@jest/globals';
import { saveDelivery, saveWebhook } from '../../factories/webhooks.js';
import { type Actor } from '../../support/actor.js';
import { expectProblem } from '../../support/expect-problem.js';
import { conditionalWrites } from '../../support/operations/conditional-writes.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';
import { UnitOfWork } from '../../../src/platform/database/transactions/unit-of-work.js';
import { serviceContext } from '../../../src/platform/tenancy/access/access.directory.js';
import { WebhookDeliveriesRepository } from '../../../src/resources/webhooks/webhook-deliveries.repository.js';

describe('DeleteWebhook', () => {
  let tenant: TestTenant;
  let admin: Actor;
  let id: string;
  beforeEach(async () => {
    tenant = await service.tenant();
    admin = await tenant.as('administrator', 'Ada');
    ({ id } = await saveWebhook(tenant, admin, { types: ['TagCreated'] }));
  });
  conditionalWrites({
    actor: () => admin,
    path: () => `/webhooks/${id}`,
    send: (actor, path) => actor.delete(path),
    success: 204,
  });

  it('returns 204, hides webhook and deliveries, erases the secret, and writes an audit entry', async () => {
    await saveDelivery(tenant, id, { status: 'Pending' });
    const response = await (await tenant.with('webhooks.manage')).delete(`/webhooks/${id}`);
    expect([response.status, response.text]).toEqual([204, '']);
    expectProblem(await admin.get(`/webhooks/${id}`), 'resource.not-found');
    expectProblem(await admin.get(`/webhooks/${id}/deliveries`), 'resource.not-found');
    expectProblem(await admin.delete(`/webhooks/${id}`), 'resource.not-found');
    const rows = await tenant.query('SELECT length(secret) AS length FROM webhooks WHERE tenant_id = $1');
    expect(rows).toEqual([{ length: 0 }]);
    expect(await tenant.audit()).toMatchObject([
      { action: 'WebhookDeleted', subject_id: id, summary: 'https://receiver.example' },
    ]);
  });

  it('removes webhook and deliveries with the next sweep, and keeps others', async () => {
    const { id: other } = await saveWebhook(tenant, admin);
    for (const webhookId of [id, other]) await saveDelivery(tenant, webhookId);
    await admin.delete(`/webhooks/${id}`).expect(204);
    await service.app
      .get(UnitOfWork)
      .write(serviceContext(tenant.id), (tx) => service.app.get(WebhookDeliveriesRepository).markExpired(tx));
    const left = (table: string, column: string) =>
      tenant.query(`SELECT ${column} AS id FROM ${table} WHERE tenant_id = $1`);
    expect(await left('webhooks', 'id')).toEqual([{ id: other }]);
    expect(await left('webhook_deliveries', 'webhook_id')).toEqual([{ id: other }]);
  });
});
