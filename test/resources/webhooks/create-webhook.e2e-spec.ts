import { beforeEach, describe, expect, it } from '@jest/globals';
import { saveWebhook } from '../../factories/webhooks.js';
import { type Actor } from '../../support/actor.js';
import { expectProblem } from '../../support/expect-problem.js';
import { expectRefused } from '../../support/expect-refused.js';
import { idempotentCreation } from '../../support/operations/idempotent-creation.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';

describe('CreateWebhook', () => {
  let tenant: TestTenant;
  let admin: Actor;
  beforeEach(async () => {
    tenant = await service.tenant();
    admin = await tenant.as('administrator', 'Ada');
  });

  const create = (changes: object = {}, actor = admin) =>
    actor.post('/webhooks', { url: 'https://receiver.example/events', ...changes });

  idempotentCreation({
    actor: () => admin,
    permission: 'webhooks.manage',
    otherPermissions: ['auditLog.read'],
    send: (actor, n) => create({ description: `Webhook ${n}` }, actor),
    failing: (actor) => create({ types: ['Nothing'] }, actor),
    shownOnce: ['secret'],
  });

  it('returns 403 to a member without auditLog.read', async () => {
    const actor = await tenant.with('webhooks.manage');
    await expectRefused(tenant, () => create({}, actor), 'permission.missing');
  });

  it('returns 201 with the webhook and its secret, and writes an audit entry', async () => {
    const response = await create({
      url: ' https://receiver.example/events?key=1 ',
      description: ' Portal ',
      types: ['FileCreated', 'FileClosed'],
      status: 'Disabled',
      secret: 'whsec_x',
    });
    const { secret, ...shown } = response.body as { id: string; secret: string };
    const { id } = shown;
    expect([response.status, shown]).toEqual([
      201,
      {
        id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
        url: 'https://receiver.example/events?key=1',
        description: 'Portal',
        types: ['FileCreated', 'FileClosed'],
        status: 'Active',
        disabledReason: null,
        createdById: admin.userId,
        createdAt: expect.stringMatching(/Z$/),
        updatedAt: expect.stringMatching(/Z$/),
      },
    ]);
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect((await admin.get(`/webhooks/${id}`)).headers.etag).toBe(response.headers.etag);
    expect(await tenant.audit()).toEqual([
      admin.entry('WebhookCreated', 'Webhook', id, 'https://receiver.example'),
    ]);
    expect(await tenant.notifications()).toEqual([]);
  });

  it('returns 201 with another secret each time, and with all types by default', async () => {
    const bodies = [await create(), await create({ description: null, types: [] })].map(
      ({ body }) => body as Record<string, unknown>,
    );
    expect(bodies).toMatchObject([
      { description: null, types: [] },
      { description: null, types: [] },
    ]);
    expect(bodies[0]?.secret).not.toBe(bodies[1]?.secret);
  });

  it.each([
    'receiver.example',
    'ftp://receiver.example/',
    'https:///',
    'https://user@receiver.example/',
    'https://user:password@receiver.example/',
    'https://10.1.2.3/',
    'https://[fd00::1]/',
    'https://[::ffff:10.1.2.3]/',
    'https://0xa9fea9fe/',
    `https://receiver.example/${'x'.repeat(2048)}`,
  ])('returns 400 for the URL %s', async (url) => {
    await expectRefused(tenant, () => create({ url }), 'request.invalid', ['url']);
  });

  it('returns 400 for unknown and repeated types', async () => {
    expectProblem(await create({ types: ['FileCreated', 'WebhookTest', 'FileCreated'] }), 'request.invalid', [
      'types[1]',
      'types[2]',
    ]);
  });

  it('returns 409 for the twenty-first webhook, also for concurrent requests', async () => {
    for (let n = 0; n < 17; n += 1) await saveWebhook(tenant, admin);
    const statuses = (await Promise.all([1, 2, 3, 4, 5].map(() => create()))).map(({ status }) => status);
    expect(statuses.sort()).toEqual([201, 201, 201, 409, 409]);
    await expectRefused(tenant, () => create(), 'webhook.too-many');
    const [{ id } = { id: '' }] = await tenant.query<{ id: string }>(
      'SELECT id FROM webhooks WHERE tenant_id = $1 LIMIT 1',
    );
    await admin.delete(`/webhooks/${id}`).expect(204);
    await create().expect(201);
  });
});
