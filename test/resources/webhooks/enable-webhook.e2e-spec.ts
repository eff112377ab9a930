import { beforeEach, describe, expect, it } from '@jest/globals';
import { saveWebhook } from '../../factories/webhooks.js';
import { type Actor } from '../../support/actor.js';
import { expectRefused } from '../../support/expect-refused.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';

describe('EnableWebhook', () => {
  let tenant: TestTenant;
  let admin: Actor;
  let id: string;
  beforeEach(async () => {
    tenant = await service.tenant();
    admin = await tenant.as('administrator', 'Ada');
    ({ id } = await saveWebhook(tenant, admin, { disabledReason: 'Manual' }));
  });

  it('returns 403 to a member without auditLog.read', async () => {
    const actor = await tenant.with('webhooks.manage');
    await expectRefused(tenant, () => actor.post(`/webhooks/${id}/enable`), 'permission.missing');
  });

  it.each(['Manual', 'Gone', 'Failing', 'CreatorLostRight'] as const)(
    'returns 200 for a webhook that is disabled (%s), and writes an audit entry',
    async (disabledReason) => {
      ({ id } = await saveWebhook(tenant, admin, { disabledReason }));
      const response = await admin.post(`/webhooks/${id}/enable`);
      expect([response.status, response.body]).toMatchObject([
        200,
        { status: 'Active', disabledReason: null },
      ]);
      expect(await tenant.audit()).toEqual([
        admin.entry('WebhookEnabled', 'Webhook', id, 'https://receiver.example'),
      ]);
      expect(await tenant.notifications()).toEqual([]);
    },
  );

  it('returns 200 and writes nothing for an active webhook', async () => {
    const active = await saveWebhook(tenant, admin);
    await tenant.expectNoChange(() => admin.post(`/webhooks/${active.id}/enable`).expect(200));
  });

  it('returns 409 while the creator has no right to read the audit log', async () => {
    const creator = await tenant.with('webhooks.manage');
    ({ id } = await saveWebhook(tenant, creator, { disabledReason: 'CreatorLostRight' }));
    await expectRefused(tenant, () => admin.post(`/webhooks/${id}/enable`), 'webhook.creator-lost-right');
  });
});
