import { beforeEach, describe, expect, it } from '@jest/globals';
import { saveDelivery, saveWebhook } from '../../factories/webhooks.js';
import { type Actor } from '../../support/actor.js';
import { expectRefused } from '../../support/expect-refused.js';
import { conditionalWrites } from '../../support/operations/conditional-writes.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';

const BODY = {
  url: 'https://receiver.example/events',
  description: null,
  types: ['TagCreated'],
  status: 'Active',
};

describe('UpdateWebhook', () => {
  let tenant: TestTenant;
  let admin: Actor;
  let id: string;
  beforeEach(async () => {
    tenant = await service.tenant();
    admin = await tenant.as('administrator', 'Ada');
    ({ id } = await saveWebhook(tenant, admin, { types: ['TagCreated'] }));
  });

  const update = (changes: object, actor = admin, webhookId = id) =>
    actor.put(`/webhooks/${webhookId}`, { ...BODY, ...changes });
  conditionalWrites({
    actor: () => admin,
    path: () => `/webhooks/${id}`,
    send: (actor, path) => actor.put(path, { ...BODY, description: 'Portal' }),
    success: 200,
  });

  it('returns 403 to a member without auditLog.read', async () => {
    const actor = await tenant.with('webhooks.manage');
    await expectRefused(tenant, () => update({ description: 'Portal' }, actor), 'permission.missing');
  });

  it('returns 200 with the changed webhook, and writes an audit entry', async () => {
    const body = {
      url: 'https://other.example/events',
      description: 'Portal',
      types: ['FileCreated'],
      status: 'Active',
    };
    const response = await update(body).expect(200);
    expect(response.body).toEqual({
      id,
      ...body,
      disabledReason: null,
      createdById: admin.userId,
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: expect.stringMatching(/Z$/),
    });
    expect(await tenant.audit()).toEqual([
      admin.entry('WebhookUpdated', 'Webhook', id, 'https://other.example'),
    ]);
  });

  it('returns 200 and makes the caller the creator only when the URL changes', async () => {
    const other = await tenant.as('administrator');
    expect((await update({ description: 'Portal' }, other)).body).toMatchObject({
      createdById: admin.userId,
    });
    expect((await update({ url: 'https://other.example/' }, other)).body).toMatchObject({
      createdById: other.userId,
    });
  });

  it('returns 200 and writes nothing when nothing changes', async () => {
    await tenant.expectNoChange(() => update({}).expect(200));
  });

  it('returns 200 and disables the webhook, ends its pending deliveries and notifies its creator', async () => {
    const other = await tenant.as('administrator', 'Otto');
    await saveDelivery(tenant, id, { status: 'Pending' });
    const response = await update({ status: 'Disabled' }, other);
    expect(response.body).toMatchObject({ status: 'Disabled', disabledReason: 'Manual' });
    const body = (await admin.get(`/webhooks/${id}/deliveries`)).body as object;
    expect(body).toMatchObject({ items: [{ status: 'Failed', nextAttemptAt: null }] });
    expect(await tenant.audit()).toMatchObject([
      { action: 'WebhookDisabled', actor_id: other.userId, summary: 'https://receiver.example: Manual' },
    ]);
    expect(await tenant.notifications()).toEqual([
      { user_id: admin.userId, type: 'WebhookDisabled', parameters: { webhookId: id, reason: 'Manual' } },
    ]);
  });

  it('returns 200 and enables the webhook', async () => {
    await update({ status: 'Disabled' }).expect(200);
    expect((await update({ status: 'Active' })).body).toMatchObject({
      status: 'Active',
      disabledReason: null,
    });
    expect((await tenant.audit()).map(({ action }) => action)).toEqual(['WebhookDisabled', 'WebhookEnabled']);
    expect(await tenant.notifications()).toEqual([]);
  });

  it('returns 400 for an unknown status, a private address and unknown types', async () => {
    await expectRefused(tenant, () => update({ status: 'Deleted', types: ['x'] }), 'request.invalid', [
      'status',
      'types[0]',
    ]);
    await expectRefused(tenant, () => update({ url: 'https://192.168.0.1/' }), 'request.invalid', ['url']);
  });

  it('returns 409 when the creator of a webhook to enable has lost the right, unless the URL changes', async () => {
    const creator = await tenant.as('auditor');
    ({ id } = await saveWebhook(tenant, creator, { disabledReason: 'CreatorLostRight' }));
    await tenant.query('DELETE FROM members WHERE tenant_id = $1 AND user_id = $2', creator.userId);
    await expectRefused(tenant, () => update({ types: [] }), 'webhook.creator-lost-right');
    const changed = await update({ url: 'https://other.example/' });
    expect([changed.status, changed.body]).toMatchObject([
      200,
      { status: 'Active', createdById: admin.userId },
    ]);
  });
});
