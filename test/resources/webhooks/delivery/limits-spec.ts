import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { UnitOfWork } from '../../../../src/platform/database/transactions/unit-of-work.js';
import { serviceContext } from '../../../../src/platform/tenancy/access/access.directory.js';
import { DeliveryEngine } from '../../../../src/resources/webhooks/delivery/delivery-engine.js';
import { WebhookDeliveriesRepository } from '../../../../src/resources/webhooks/webhook-deliveries.repository.js';
import { saveDelivery, saveWebhook } from '../../../factories/webhooks.js';
import { sequenced } from '../../../platform/events/event-log.js';
import { type Actor } from '../../../support/actor.js';
import { WebhookReceiver } from '../../../support/servers/webhook-receiver.js';
import { TestService } from '../../../support/service/service.js';
import { type TestTenant } from '../../../support/tenant.js';
import { deliver, deliveriesOf, makeRetriesDue, savePending } from './deliveries.js';

const RATE = 20;

describe('Limits of webhook deliveries', () => {
  let service: TestService;
  let tenant: TestTenant;
  let admin: Actor;
  let receiver: WebhookReceiver;
  beforeAll(async () => {
    service = await TestService.start({ WEBHOOK_RATE_PER_SECOND: String(RATE) });
    receiver = await WebhookReceiver.start();
  });
  afterAll(async () => {
    await service.stop();
    await receiver.stop();
  });
  beforeEach(async () => {
    receiver.requests.length = 0;
    tenant = await service.tenant();
    admin = await tenant.as('administrator');
    await sequenced(tenant);
  });

  it('delay the deliveries of a tenant beyond its rate, counted over all instances', async () => {
    const other = await TestService.start({ WEBHOOK_RATE_PER_SECOND: String(RATE) }, service);
    try {
      for (let n = 0; n < 5; n += 1) {
        const { id } = await saveWebhook(tenant, admin, { url: receiver.url, types: ['TagCreated'] });
        await savePending(tenant, id, 12);
      }
      await makeRetriesDue(tenant);
      const begin = Date.now();
      await Promise.all([service, other].map(({ app }) => app.get(DeliveryEngine).runTenant(tenant.id)));
      expect(receiver.requests).toHaveLength(60);
      // 20 of a second and 20 of the last claim; the other 20 take a second.
      expect(Date.now() - begin).toBeGreaterThanOrEqual(950);
    } finally {
      await other.stop();
    }
  });

  it('delete ended deliveries after 50,000 newer ones', async () => {
    const { id } = await saveWebhook(tenant, admin, { url: receiver.url, types: ['TagCreated'] });
    const { id: pending } = await saveDelivery(tenant, id, { status: 'Pending' });
    await tenant.query(
      `UPDATE webhook_deliveries SET not_before = now() + interval '1 hour' WHERE tenant_id = $1`,
    );
    const sweep = () =>
      service.app
        .get(UnitOfWork)
        .write(serviceContext(tenant.id), (tx) =>
          service.app.get(WebhookDeliveriesRepository).markExpired(tx),
        );
    const found = async () =>
      (
        await tenant.query(`SELECT id FROM tenants_with_expired_webhook_deliveries(now() - interval '30 days') AS t (id)
            WHERE id = $1`)
      ).length > 0;
    const idsOf = async () => (await deliveriesOf(tenant, id)).map((delivery) => delivery.id);
    for (const name of ['One', 'Two', 'Three']) {
      const before = await idsOf();
      await admin.post('/tags', { name }).expect(201);
      await admin.post(`/webhooks/${id}/test`).expect(200);
      await deliver(tenant);
      const statement = `UPDATE webhooks SET counted_deliveries = counted_deliveries + 49998 WHERE tenant_id = $1
         RETURNING counted_deliveries AS count`;
      const [counted] = await tenant.query<{ count: number }>(statement);
      expect([counted?.count, await found()]).toEqual([50_000, true]);
      const newer = (await idsOf()).filter((delivery) => !before.includes(delivery));
      expect(newer).toHaveLength(2);
      await sweep();
      expect(await found()).toBe(false);
      expect((await idsOf()).sort()).toEqual([pending, ...newer].sort());
    }
  });
});
