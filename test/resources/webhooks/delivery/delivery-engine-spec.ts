import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Actor } from '../../../support/actor.js';
import { WebhookReceiver } from '../../../support/servers/webhook-receiver.js';
import { TestService } from '../../../support/service/service.js';
import { type TestTenant } from '../../../support/tenant.js';
import { waitUntil } from '../../../support/wait-until.js';

describe('DeliveryEngine where jobs run', () => {
  let service: TestService;
  let tenant: TestTenant;
  let admin: Actor;
  let receiver: WebhookReceiver;
  beforeAll(async () => {
    service = await TestService.start({ WORKER_CONCURRENCY: '2' });
    tenant = await service.tenant();
    admin = await tenant.as('administrator');
    receiver = await WebhookReceiver.start();
  });
  afterAll(async () => {
    await service.stop();
    await receiver.stop();
  });

  const requests = (count: number) =>
    waitUntil(() => receiver.requests.length === count, `${count} requests to the webhook`);

  const newest = async (id: string) => {
    const response = await admin.get(`/webhooks/${id}/deliveries?limit=1`).expect(200);
    return (response.body as { items: [{ id: string; status: string }] }).items[0];
  };

  it('sends new events, tests and repetitions, also after the webhook was enabled again', async () => {
    const { id } = (await admin.post('/webhooks', { url: receiver.url, types: ['TagCreated'] }).expect(201))
      .body as { id: string };
    await admin.post('/tags', { name: 'One' }).expect(201);
    await requests(1);
    await admin.post(`/webhooks/${id}/test`).expect(200);
    await requests(2);
    const body = { url: receiver.url, types: ['TagCreated'] };
    await admin.put(`/webhooks/${id}`, { ...body, status: 'Disabled' }).expect(200);
    await admin.post(`/webhooks/${id}/enable`).expect(200);
    await admin.post('/tags', { name: 'Two' }).expect(201);
    await requests(3);
    await waitUntil(async () => (await newest(id)).status === 'Delivered', 'the outcome of the delivery');
    await admin.post(`/webhooks/${id}/deliveries/${(await newest(id)).id}/redeliver`).expect(200);
    await requests(4);
    const [, , third, fourth] = receiver.requests.map(({ headers }) => headers['webhook-id']);
    expect(fourth).toBe(third);
  });
});
