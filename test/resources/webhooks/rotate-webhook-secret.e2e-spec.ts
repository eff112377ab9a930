import { beforeEach, describe, expect, it } from '@jest/globals';
import { saveWebhook } from '../../factories/webhooks.js';
import { type Actor } from '../../support/actor.js';
import { expectProblem } from '../../support/expect-problem.js';
import { expectRefused } from '../../support/expect-refused.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';

describe('RotateWebhookSecret', () => {
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
    await expectRefused(tenant, () => actor.post(`/webhooks/${id}/rotate-secret`), 'permission.missing');
  });

  it('returns 200 with a new secret, keeps the former one for 24 hours, and writes an audit entry', async () => {
    const former = await secretsOf();
    const { body } = (await admin.post(`/webhooks/${id}/rotate-secret`).expect(200)) as { body: object };
    const { secret, ...shown } = body as { secret: string };
    expect(shown).toEqual((await admin.get(`/webhooks/${id}`)).body);
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(await secretsOf()).toEqual({
      secret: secret.replace('whsec_', ''),
      former: former?.secret,
      hours: 24,
    });
    expect(await tenant.audit()).toEqual([
      admin.entry('WebhookSecretRotated', 'Webhook', id, 'https://receiver.example'),
    ]);
  });

  it('returns 200 without the secret for a repeated Idempotency-Key, and rotates once', async () => {
    const send = () => admin.post(`/webhooks/${id}/rotate-secret`).set('Idempotency-Key', 'rotate');
    const { secret, ...shown } = (await send().expect(200)).body as { secret: string };
    expect((await send().expect(200)).body).toEqual(shown);
    expect((await secretsOf())?.secret).toBe(secret.replace('whsec_', ''));
  });

  it('returns 400 for an invalid Idempotency-Key', async () => {
    const former = await secretsOf();
    const response = await admin.post(`/webhooks/${id}/rotate-secret`).set('Idempotency-Key', 'a b');
    expectProblem(response, 'request.invalid');
    expect(await secretsOf()).toEqual(former);
  });

  it('returns 409 for an Idempotency-Key that was used for another webhook', async () => {
    const other = await saveWebhook(tenant, admin);
    const send = (webhookId: string) =>
      admin.post(`/webhooks/${webhookId}/rotate-secret`).set('Idempotency-Key', 'rotate');
    await send(id).expect(200);
    expectProblem(await send(other.id), 'request.idempotency-conflict');
  });

  async function secretsOf() {
    const [row] = await tenant.query<{ secret: string; former: string | null; hours: number }>(
      `SELECT encode(secret, 'base64') AS secret, encode(former_secret, 'base64') AS former,
              extract(epoch FROM former_secret_until - updated_at)::float8 / 3600 AS hours
         FROM webhooks WHERE tenant_id = $1 AND id = $2`,
      id,
    );
    return row;
  }
});
