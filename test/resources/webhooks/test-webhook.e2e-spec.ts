import { beforeEach, describe, expect, it } from '@jest/globals';
import { saveWebhook } from '../../factories/webhooks.js';
import { type Actor } from '../../support/actor.js';
import { expectRefused } from '../../support/expect-refused.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';
import { WebhookReceiver } from '../../support/servers/webhook-receiver.js';
import { deliver, savePending } from './delivery/deliveries.js';

describe('TestWebhook', () => {
  let tenant: TestTenant;
  let admin: Actor;
  let id: string;
  beforeEach(async () => {
    tenant = await service.tenant();
    admin = await tenant.as('administrator', 'Ada');
    ({ id } = await saveWebhook(tenant, admin, { types: ['TagCreated'] }));
  });

  it('returns 403 to a member without auditLog.read', async () => {
    const actor = await tenant.with('webhooks.manage');
    await expectRefused(tenant, () => actor.post(`/webhooks/${id}/test`), 'permission.missing');
  });

  it('returns 200 with a pending delivery, which is sent once, and writes no audit entry', async () => {
    const receiver = await WebhookReceiver.start();
    try {
      receiver.answerWith(500);
      ({ id } = await saveWebhook(tenant, admin, { url: receiver.url, types: ['FileCreated'] }));
      const response = await admin.post(`/webhooks/${id}/test`).expect(200);
      expect(response.body).toEqual({
        id: expect.any(String),
        sequence: null,
        type: 'WebhookTest',
        status: 'Pending',
        attempts: 0,
        lastStatusCode: null,
        lastError: null,
        lastDurationMs: null,
        nextAttemptAt: expect.any(String),
        createdAt: expect.any(String),
      });
      await deliver(tenant);
      expect(receiver.payloads).toEqual([
        {
          type: 'WebhookTest',
          timestamp: expect.any(String),
          data: {
            sequence: null,
            id: receiver.requests[0]?.headers['webhook-id'],
            type: 'WebhookTest',
            occurredAt: expect.any(String),
            actorId: null,
            subjectType: 'Webhook',
            subjectId: id,
            related: {},
            tenantId: tenant.id,
          },
        },
      ]);
      expect((await admin.get(`/webhooks/${id}/deliveries`)).body).toMatchObject({
        items: [{ status: 'Failed', attempts: 1, lastStatusCode: 500, lastError: 'BadStatus' }],
      });
      expect(await tenant.audit()).toEqual([]);
    } finally {
      await receiver.stop();
    }
  });

  it('returns 409 for a disabled webhook', async () => {
    ({ id } = await saveWebhook(tenant, admin, { disabledReason: 'Manual' }));
    await expectRefused(tenant, () => admin.post(`/webhooks/${id}/test`), 'webhook.disabled');
  });

  it('returns 409 for a webhook with 1000 pending deliveries', async () => {
    await savePending(tenant, id, 1000);
    await expectRefused(tenant, () => admin.post(`/webhooks/${id}/test`), 'webhook.too-many-pending');
  });
});
