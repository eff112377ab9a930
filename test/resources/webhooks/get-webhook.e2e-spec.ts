import { beforeEach, describe, expect, it } from '@jest/globals';
import { saveWebhook } from '../../factories/webhooks.js';
import { type Actor } from '../../support/actor.js';
import { notModified } from '../../support/operations/not-modified.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';

describe('GetWebhook', () => {
  let tenant: TestTenant;
  let admin: Actor;
  let id: string;
  beforeEach(async () => {
    tenant = await service.tenant();
    admin = await tenant.as('administrator', 'Ada');
    ({ id } = await saveWebhook(tenant, admin, { types: ['TagCreated'] }));
  });
  notModified(() => admin.get(`/webhooks/${id}`));

  it('returns 200 with the webhook without its secret', async () => {
    const response = await (await tenant.with('webhooks.manage')).get(`/webhooks/${id}`).expect(200);
    expect(response.body).toEqual({
      id,
      url: 'https://receiver.example/events',
      description: null,
      types: ['TagCreated'],
      status: 'Active',
      disabledReason: null,
      createdById: admin.userId,
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: expect.stringMatching(/Z$/),
    });
  });
});
