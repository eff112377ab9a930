import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { Metrics } from '../../../../src/platform/http/server/metrics.js';
import { saveDocument } from '../../../factories/documents.js';
import { saveFile } from '../../../factories/files.js';
import { type Actor } from '../../../support/actor.js';
import { WebhookReceiver } from '../../../support/servers/webhook-receiver.js';
import { service } from '../../../support/service/shared-service.js';
import { type TestTenant } from '../../../support/tenant.js';
import { sequenced } from '../../../platform/events/event-log.js';
import { deliver, deliveriesOf, webhookOf } from './deliveries.js';

interface Created {
  id: string;
  secret: string;
}

describe('Webhook deliveries', () => {
  let tenant: TestTenant;
  let admin: Actor;
  let receiver: WebhookReceiver;
  beforeEach(async () => {
    tenant = await service.tenant();
    admin = await tenant.as('administrator');
    receiver = await WebhookReceiver.start();
    await sequenced(tenant);
  });
  afterEach(() => receiver.stop());

  const create = async (body: object = {}, actor = admin) =>
    (await actor.post('/webhooks', { url: receiver.url, ...body }).expect(201)).body as Created;
  const createTag = async (name: string, actor = admin) =>
    ((await actor.post('/tags', { name }).expect(201)).body as { id: string }).id;

  it('send each event once, signed by Standard Webhooks', async () => {
    const { id, secret } = await create({ types: ['TagCreated'] });
    const tagId = await createTag('Dringend');
    await deliver(tenant);
    expect(receiver.requests).toHaveLength(1);
    const [{ method, path, headers, body }] = receiver.requests as [(typeof receiver.requests)[0]];
    expect([method, path, headers['content-type']]).toEqual(['POST', '/events?key=1', 'application/json']);
    const verified = new Webhook(secret).verify(body, headers as Record<string, string>);
    const [entry] = await tenant.query<{ id: string; at: Date }>(
      `SELECT id, occurred_at AS at FROM audit_entries WHERE tenant_id = $1 AND action = 'TagCreated'`,
    );
    const timestamp = entry?.at.toISOString();
    expect(verified).toEqual({
      type: 'TagCreated',
      timestamp,
      data: {
        sequence: expect.any(Number),
        id: entry?.id,
        type: 'TagCreated',
        occurredAt: timestamp,
        actorId: admin.userId,
        subjectType: 'Tag',
        subjectId: tagId,
        related: {},
        tenantId: tenant.id,
      },
    });
    expect(headers['webhook-id']).toBe(entry?.id);
    expect(await deliveriesOf(tenant, id)).toMatchObject([
      { type: 'TagCreated', status: 'Delivered', attempts: 1, last_status_code: 204, last_error: null },
    ]);
    await deliver(tenant);
    expect(receiver.requests).toHaveLength(1);
  });

  it('begin with the events after the webhook was created', async () => {
    await createTag('Before');
    await sequenced(tenant);
    await create();
    await createTag('After');
    await deliver(tenant);
    expect(receiver.payloads.map(({ type }) => type)).toEqual(['WebhookCreated', 'TagCreated']);
  });

  it('contain only the types of the webhook, and advance past other events', async () => {
    const { id } = await create({ types: ['TagRenamed', 'TagDeleted'] });
    const tagId = await createTag('One');
    await admin.put(`/tags/${tagId}`, { name: 'Two' });
    await deliver(tenant);
    expect(receiver.payloads.map(({ type }) => type)).toEqual(['TagRenamed']);
    const events = await sequenced(tenant);
    expect((await webhookOf(tenant, id)).position).toBe(events.length);
  });

  it('go to every webhook of the tenant, and to no webhook of another tenant', async () => {
    const other = await service.tenant();
    const elsewhere = await WebhookReceiver.start();
    try {
      const otherAdmin = await other.as('administrator');
      await otherAdmin.post('/webhooks', { url: elsewhere.url, types: ['TagCreated'] }).expect(201);
      await create({ types: ['TagCreated'] });
      await create({ types: ['TagCreated'] });
      await createTag('One');
      await deliver(tenant);
      await deliver(other);
      expect(receiver.requests).toHaveLength(2);
      expect(elsewhere.requests).toEqual([]);
    } finally {
      await elsewhere.stop();
    }
  });

  it('contain ids related to a confidential document only while the creator is on its list', async () => {
    const listed = await tenant.as('administrator');
    const file = await saveFile(tenant, admin);
    const { id: documentId } = await saveDocument(tenant, listed, { confidentialTo: [listed] });
    await create({ types: ['DocumentFiled'] }, admin);
    await create({ types: ['DocumentFiled'] }, listed);
    await listed.put(`/documents/${documentId}/files/${file.id}`).expect(204);
    await deliver(tenant);
    const related = receiver.payloads.map(({ data }) => data.related);
    expect(related).toHaveLength(2);
    expect(related).toEqual(expect.arrayContaining([{}, { fileId: file.id }]));
  });

  it('carry the signatures of both secrets for 24 hours after a rotation', async () => {
    const { id, secret } = await create({ types: ['TagCreated'] });
    const rotated = (await admin.post(`/webhooks/${id}/rotate-secret`).expect(200)).body as Created;
    await createTag('One');
    await deliver(tenant);
    await tenant.query(
      `UPDATE webhooks SET former_secret_until = now() - interval '1 second' WHERE tenant_id = $1`,
    );
    await createTag('Two');
    await deliver(tenant);
    const [first, second] = receiver.requests.map(({ body, headers }) => ({
      verify: (key: string) => () => new Webhook(key).verify(body, headers as Record<string, string>),
    }));
    expect(first?.verify(secret)).not.toThrow();
    expect(first?.verify(rotated.secret)).not.toThrow();
    expect(second?.verify(rotated.secret)).not.toThrow();
    expect(second?.verify(secret)).toThrow('No matching signature');
  });

  it('end for a webhook that is disabled or deleted, and begin again when it is enabled', async () => {
    const { id } = await create({ types: ['TagCreated'] });
    const { id: deletedId } = await create({ types: ['TagCreated'] });
    const body = { url: receiver.url, types: ['TagCreated'], description: null };
    await admin.put(`/webhooks/${id}`, { ...body, status: 'Disabled' }).expect(200);
    await admin.delete(`/webhooks/${deletedId}`).expect(204);
    await createTag('Missed');
    await deliver(tenant);
    expect(receiver.requests).toEqual([]);
    await admin.post(`/webhooks/${id}/enable`).expect(200);
    const tagId = await createTag('Seen');
    await deliver(tenant);
    expect(receiver.payloads.map(({ data }) => data.subjectId)).toEqual([tagId]);
  });

  it('have at most 5 requests in flight for each webhook and 20 for the tenant', async () => {
    const held: (() => void)[] = [];
    receiver.answer = (response) => held.push(() => response.writeHead(200).end());
    const ids: string[] = [];
    for (let n = 0; n < 6; n += 1) ids.push((await create({ types: ['TagCreated'] })).id);
    for (let n = 0; n < 8; n += 1) await createTag(`Tag ${n}`);
    const delivered = deliver(tenant);
    while (receiver.requests.length < 48) {
      await new Promise((resolve) => setTimeout(resolve, 5));
      const statement = `SELECT count(*)::int AS count FROM webhook_deliveries
          WHERE tenant_id = $1 AND claim_id IS NOT NULL GROUP BY webhook_id`;
      const inFlight = await tenant.query<{ count: number }>(statement);
      for (const { count } of inFlight) expect(count).toBeLessThanOrEqual(5);
      if (receiver.open >= 20) for (const answer of held.splice(0)) answer();
      if (receiver.requests.length >= 40) for (const answer of held.splice(0)) answer();
    }
    for (const answer of held.splice(0)) answer();
    await delivered;
    expect(receiver.mostOpen).toBe(20);
    expect(receiver.requests).toHaveLength(48);
  });

  it('are measured by outcome', async () => {
    const attempts = async (outcome: string) => {
      const text = await service.app.get(Metrics).registry.metrics();
      const name = `webhook_attempt_duration_seconds_count\\{outcome="${outcome}"\\}`;
      return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1] ?? 0);
    };
    const before = { delivered: await attempts('Delivered'), refused: await attempts('BadStatus') };
    await create({ types: ['TagCreated'] });
    await createTag('Dringend');
    await deliver(tenant);
    receiver.answerWith(500);
    await createTag('Erledigt');
    await deliver(tenant);
    expect(await attempts('Delivered')).toBeGreaterThan(before.delivered);
    expect(await attempts('BadStatus')).toBeGreaterThan(before.refused);
  });
});
