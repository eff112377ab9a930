import { beforeEach, describe, expect, it } from '@jest/globals';
import { saveDelivery, saveWebhook } from '../../factories/webhooks.js';
import { type Actor } from '../../support/actor.js';
import { expectProblem } from '../../support/expect-problem.js';
import { expectRefused } from '../../support/expect-refused.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';
import { sequenced } from '../../platform/events/event-log.js';
import { WebhookReceiver } from '../../support/servers/webhook-receiver.js';
import { deliver, deliveriesOf, savePending } from './delivery/deliveries.js';

describe('RedeliverWebhookDelivery', () => {
  let tenant: TestTenant;
  let admin: Actor;
  let id: string;
  let deliveryId: string;
  beforeEach(async () => {
    tenant = await service.tenant();
    admin = await tenant.as('administrator', 'Ada');
    ({ id } = await saveWebhook(tenant, admin, { types: ['TagCreated'] }));
    deliveryId = (await saveDelivery(tenant, id, { status: 'Failed' })).id;
  });

  const redeliver = (actor: Actor, delivery = deliveryId) =>
    actor.post(`/webhooks/${id}/deliveries/${delivery}/redeliver`);

  it('returns 403 to a member without auditLog.read', async () => {
    const actor = await tenant.with('webhooks.manage');
    await expectRefused(tenant, () => redeliver(actor), 'permission.missing');
  });

  it('returns 404 for a delivery of another webhook', async () => {
    const other = await saveWebhook(tenant, admin);
    expectProblem(await redeliver(admin, (await saveDelivery(tenant, other.id)).id), 'resource.not-found');
  });

  it('returns 200 and sends a delivered event again with the same id', async () => {
    const receiver = await WebhookReceiver.start();
    try {
      ({ id } = await saveWebhook(tenant, admin, { url: receiver.url, types: ['TagCreated'] }));
      await sequenced(tenant);
      await tenant.query(
        'UPDATE webhooks SET position = l.next_sequence FROM event_logs l WHERE l.tenant_id = webhooks.tenant_id AND webhooks.tenant_id = $1',
      );
      await admin.post('/tags', { name: 'One' }).expect(201);
      await deliver(tenant);
      const [delivery] = await deliveriesOf(tenant, id);
      deliveryId = delivery?.id ?? '';
      const response = await redeliver(admin);
      expect([response.status, response.body]).toMatchObject([
        200,
        { id: deliveryId, status: 'Pending', attempts: 1, nextAttemptAt: expect.any(String) },
      ]);
      await deliver(tenant);
      expect(receiver.requests).toHaveLength(2);
      expect(receiver.requests[0]?.headers['webhook-id']).toBe(receiver.requests[1]?.headers['webhook-id']);
      expect(await deliveriesOf(tenant, id)).toMatchObject([{ status: 'Delivered', attempts: 2 }]);
      expect((await tenant.audit()).map(({ action }) => action)).toEqual(['TagCreated']);
    } finally {
      await receiver.stop();
    }
  });

  it('returns 409 for a disabled webhook', async () => {
    const disabled = await saveWebhook(tenant, admin, { disabledReason: 'Gone' });
    id = disabled.id;
    deliveryId = (await saveDelivery(tenant, id)).id;
    await expectRefused(tenant, () => redeliver(admin), 'webhook.disabled');
  });

  it('returns 409 for a webhook with 1000 pending deliveries, except for one of them', async () => {
    const [pending = ''] = await savePending(tenant, id, 1000);
    expectProblem(await redeliver(admin), 'webhook.too-many-pending');
    expect((await redeliver(admin, pending)).status).toBe(200);
  });
});
