import { beforeEach, describe, expect, it } from '@jest/globals';
import { saveDocument } from '../../factories/documents.js';
import { saveWebhook } from '../../factories/webhooks.js';
import { type Actor } from '../../support/actor.js';
import { priceOf } from '../../support/price.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';

const WEBHOOKS = 20;
const URL = 'https://receiver.example/events';

describe('The price of a change in a tenant with webhooks', () => {
  let tenant: TestTenant;
  let admin: Actor;
  let ids: string[];
  beforeEach(async () => {
    tenant = await service.tenant();
    // The bucket does not refill during a test.
    await tenant.query('UPDATE tenants SET rate_limit_per_minute = 1, rate_limit_burst = 1000 WHERE id = $1');
    admin = await tenant.as('administrator');
    ids = [];
    for (let n = 0; n < WEBHOOKS; n += 1)
      ids.push((await saveWebhook(tenant, admin, { types: ['TagCreated', 'DocumentTagged'] })).id);
  });

  const createTag = async (name: string, actor = admin) =>
    ((await actor.post('/tags', { name }).expect(201)).body as { id: string }).id;

  it('is one request more for ten deliveries, of the types that the webhooks want', async () => {
    expect(await priceOf(admin, () => createTag('One'))).toBe(3);
    const id = await createTag('Two');
    expect(await priceOf(admin, async () => admin.put(`/tags/${id}`, { name: 'Three' }).expect(200))).toBe(1);
    const refused = async () => admin.post('/tags', { name: 'One' }).expect(409);
    expect(await priceOf(admin, refused)).toBe(1);
  });

  it('grows with each document of a bulk change', async () => {
    const tagId = await createTag('One');
    const documentIds: string[] = [];
    for (let n = 0; n < 5; n += 1) documentIds.push((await saveDocument(tenant, admin)).id);
    const body = { action: 'Tag', documentIds, tagIds: [tagId] };
    const change = async () => admin.post('/documents/bulk', body).expect(200);
    expect(await priceOf(admin, change)).toBe(11);
    expect(await priceOf(admin, change)).toBe(1);
  });

  it('follows each change of the webhooks, also for other callers', async () => {
    const other = await tenant.as('administrator');
    expect(await priceOf(other, () => createTag('One', other))).toBe(3);
    for (const id of ids.slice(0, 10))
      await admin.put(`/webhooks/${id}`, { url: URL, types: [], status: 'Disabled' }).expect(200);
    expect(await priceOf(other, () => createTag('Two', other))).toBe(2);
    for (const id of ids.slice(0, 10)) await admin.post(`/webhooks/${id}/enable`).expect(200);
    expect(await priceOf(other, () => createTag('Three', other))).toBe(3);
    for (const id of ids.slice(0, 10)) await admin.delete(`/webhooks/${id}`).expect(204);
    expect(await priceOf(other, () => createTag('Four', other))).toBe(2);
    for (let n = 0; n < 10; n += 1) await admin.post('/webhooks', { url: URL }).expect(201);
    expect(await priceOf(other, () => createTag('Five', other))).toBe(3);
  });
});
