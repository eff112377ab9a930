import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { newId } from '../../../../src/common/identifier.js';
import { RETRY_DELAYS } from '../../../../src/resources/webhooks/delivery/retry-schedule.js';
import { saveWebhook } from '../../../factories/webhooks.js';
import { sequenced } from '../../../platform/events/event-log.js';
import { type Actor } from '../../../support/actor.js';
import { WebhookReceiver } from '../../../support/servers/webhook-receiver.js';
import { service } from '../../../support/service/shared-service.js';
import { type TestTenant } from '../../../support/tenant.js';
import { deliver, deliveriesOf, makeRetriesDue, savePending, webhookOf } from './deliveries.js';

/** Retries are later than their delay by up to a tenth. */
const JITTER = 1.1;

describe('Retries of webhook deliveries', () => {
  let tenant: TestTenant;
  let admin: Actor;
  let receiver: WebhookReceiver;
  let id: string;
  beforeEach(async () => {
    tenant = await service.tenant();
    admin = await tenant.as('administrator');
    receiver = await WebhookReceiver.start();
    await sequenced(tenant);
    ({ id } = await saveWebhook(tenant, admin, { url: receiver.url, types: ['TagCreated'] }));
  });
  afterEach(() => receiver.stop());

  const createTag = (name: string) => admin.post('/tags', { name }).expect(201);
  /** Sets the time of the first failure since the last success. */
  const failSince = (interval: string) =>
    tenant.query('UPDATE webhooks SET first_failed_at = now() - $2::interval WHERE tenant_id = $1', interval);

  it('have the delays of the schedule; then the delivery has failed', async () => {
    receiver.answerWith(500);
    await createTag('One');
    await deliver(tenant);
    for (const [retries, delay] of RETRY_DELAYS.entries()) {
      const [delivery] = await deliveriesOf(tenant, id);
      expect(delivery).toMatchObject({
        status: 'Pending',
        attempts: retries + 1,
        retries: retries + 1,
        last_status_code: 500,
        last_error: 'BadStatus',
      });
      expect(delivery?.next_in).toBeLessThanOrEqual(delay * JITTER);
      // The database has taken its time after the attempt: allows for a busy machine.
      expect(delivery?.next_in).toBeGreaterThan(delay - 5);
      await deliver(tenant);
      expect(receiver.requests).toHaveLength(retries + 1);
      await makeRetriesDue(tenant);
      await deliver(tenant);
    }
    expect(await deliveriesOf(tenant, id)).toMatchObject([{ status: 'Failed', attempts: 10, next_in: null }]);
    await makeRetriesDue(tenant);
    await deliver(tenant);
    expect(receiver.requests).toHaveLength(10);
  });

  it('wait for Retry-After in seconds or as a date, but never come before the schedule', async () => {
    receiver.answerWith(429, { 'retry-after': '3600' });
    await createTag('One');
    await deliver(tenant);
    const [first] = await deliveriesOf(tenant, id);
    expect(first?.next_in).toBeGreaterThan(3500);
    expect(first?.next_in).toBeLessThanOrEqual(3600);

    receiver.answerWith(503, { 'retry-after': new Date(Date.now() + 7_200_000).toUTCString() });
    await makeRetriesDue(tenant);
    await deliver(tenant);
    const [second] = await deliveriesOf(tenant, id);
    expect(second?.next_in).toBeGreaterThan(7000);

    receiver.answerWith(429, { 'retry-after': '1' });
    await makeRetriesDue(tenant);
    await deliver(tenant);
    const [third] = await deliveriesOf(tenant, id);
    expect(third?.next_in).toBeGreaterThan(1700);
  });

  it('follow at once for all pending deliveries after a success', async () => {
    receiver.answerWith(500);
    for (const name of ['One', 'Two', 'Three']) await createTag(name);
    await deliver(tenant);
    const failed = receiver.requests.length;
    receiver.answerWith(200);
    await createTag('Four');
    await deliver(tenant);
    expect(receiver.requests).toHaveLength(failed + 4);
    const deliveries = await deliveriesOf(tenant, id);
    expect(deliveries.map(({ status }) => status)).toEqual(Array(4).fill('Delivered'));
    expect((await webhookOf(tenant, id)).first_failed_at).toBeNull();
  });

  it('do not come before Retry-After when another delivery succeeds', async () => {
    receiver.answerWith(429, { 'retry-after': '3600' });
    await createTag('One');
    await deliver(tenant);
    receiver.answerWith(200);
    await createTag('Two');
    await deliver(tenant);
    const [one, two] = await deliveriesOf(tenant, id);
    expect([one?.status, two?.status]).toEqual(['Pending', 'Delivered']);
    expect(one?.next_in).toBeGreaterThan(3500);
  });

  it('are not used up by the successes of other deliveries', async () => {
    receiver.answer = (response, { body }) => response.writeHead(body.includes(rejected) ? 500 : 200).end();
    let rejected = 'TagCreated';
    await createTag('Rejected');
    await deliver(tenant);
    rejected = `"id":"${receiver.requests[0]?.headers['webhook-id'] as string}"`;
    for (let n = 0; n < 4; n += 1) {
      await createTag(`Accepted ${n}`);
      await deliver(tenant);
    }
    const [delivery] = await deliveriesOf(tenant, id);
    // The first success makes it due early; the others do so only after a minute.
    expect(delivery).toMatchObject({ status: 'Pending', attempts: 2, retries: 1 });
    await tenant.query(
      `UPDATE webhook_deliveries SET last_attempt_at = now() - interval '1 minute' WHERE tenant_id = $1`,
    );
    await createTag('Accepted later');
    await deliver(tenant);
    expect((await deliveriesOf(tenant, id))[0]).toMatchObject({ attempts: 3, retries: 1 });
  });

  it.each([
    [302, 'Redirect'],
    [304, 'Redirect'],
    [404, 'BadStatus'],
    [101, 'BadStatus'],
  ])('follow a response with status %i as %s', async (status, error) => {
    receiver.answer = (response) =>
      response
        .writeHead(status, { location: 'http://127.0.0.1:1/', connection: 'upgrade', upgrade: 'x' })
        .end();
    await createTag('One');
    await deliver(tenant);
    expect(await deliveriesOf(tenant, id)).toMatchObject([
      { status: 'Pending', last_status_code: status, last_error: error },
    ]);
  });

  it('end after a 410: the webhook is disabled, and its creator is notified', async () => {
    await savePending(tenant, id, 2);
    receiver.answerWith(410);
    await createTag('One');
    await deliver(tenant);
    expect(await webhookOf(tenant, id)).toMatchObject({ status: 'Disabled', disabled_reason: 'Gone' });
    const deliveries = await deliveriesOf(tenant, id);
    expect(deliveries.map(({ status }) => status)).toEqual(['Failed', 'Failed', 'Failed']);
    expect((await tenant.audit()).at(-1)).toEqual({
      actor_id: null,
      actor_name: null,
      action: 'WebhookDisabled',
      subject_type: 'Webhook',
      subject_id: id,
      summary: `http://127.0.0.1:${receiver.port}: Gone`,
    });
    expect(await tenant.notifications()).toEqual([
      { user_id: admin.userId, type: 'WebhookDisabled', parameters: { webhookId: id, reason: 'Gone' } },
    ]);
  });

  it('end after failures for five days', async () => {
    receiver.answerWith(500);
    await createTag('One');
    await deliver(tenant);
    await failSince('4 days 23 hours');
    await makeRetriesDue(tenant);
    await deliver(tenant);
    expect(await webhookOf(tenant, id)).toMatchObject({ status: 'Active' });
    await failSince('5 days 1 minute');
    await makeRetriesDue(tenant);
    await deliver(tenant);
    expect(await webhookOf(tenant, id)).toMatchObject({ status: 'Disabled', disabled_reason: 'Failing' });
    expect(await tenant.notifications()).toMatchObject([
      { type: 'WebhookDisabled', parameters: { webhookId: id, reason: 'Failing' } },
    ]);
  });

  it('do not end when a success interrupts the failures', async () => {
    receiver.answerWith(500);
    await createTag('One');
    await deliver(tenant);
    await failSince('6 days');
    receiver.answerWith(200);
    await makeRetriesDue(tenant);
    await deliver(tenant);
    receiver.answerWith(500);
    await createTag('Two');
    await deliver(tenant);
    expect(await webhookOf(tenant, id)).toMatchObject({ status: 'Active' });
  });

  it.each([
    ['leaves the tenant', (creator: Actor) => admin.delete(`/members/${creator.userId}`).expect(204), 0],
    [
      'loses the right',
      async (creator: Actor) => {
        const roleId = await tenant.roleId('viewer');
        await admin.put(`/members/${creator.userId}`, { roleId }).expect(200);
      },
      1,
    ],
  ])('end when the creator %s', async (_, remove, notifications) => {
    const creator = await tenant.as('auditor');
    ({ id } = await saveWebhook(tenant, creator, { url: receiver.url, types: ['TagCreated'] }));
    await createTag('One');
    await sequenced(tenant);
    await remove(creator);
    await deliver(tenant);
    expect(await webhookOf(tenant, id)).toMatchObject({
      status: 'Disabled',
      disabled_reason: 'CreatorLostRight',
    });
    expect(await deliveriesOf(tenant, id)).toEqual([]);
    const disabled = (await tenant.notifications()).filter(({ type }) => type === 'WebhookDisabled');
    expect(disabled).toHaveLength(notifications);
  });

  it('leave room for new events: at most 1000 deliveries are pending, and the others follow later', async () => {
    await savePending(tenant, id, 998);
    for (const name of ['One', 'Two', 'Three']) await createTag(name);
    receiver.answerWith(500);
    await deliver(tenant);
    expect(await deliveriesOf(tenant, id)).toHaveLength(1000);
    const { position } = await webhookOf(tenant, id);
    await tenant.query(`DELETE FROM webhook_deliveries WHERE tenant_id = $1 AND sequence = 0`);
    receiver.answerWith(200);
    await makeRetriesDue(tenant);
    await deliver(tenant);
    expect((await webhookOf(tenant, id)).position).toBe(position + 1);
    const deliveries = await deliveriesOf(tenant, id);
    expect(deliveries.map(({ status }) => status)).toEqual(['Delivered', 'Delivered', 'Delivered']);
  });

  it('of one receiver do not delay the deliveries to others', async () => {
    const others = await Promise.all([1, 2, 3].map(() => WebhookReceiver.start()));
    try {
      receiver.answer = () => undefined;
      for (const other of others) await saveWebhook(tenant, admin, { url: other.url, types: ['TagCreated'] });
      for (let n = 0; n < 10; n += 1) await createTag(`Tag ${n}`);
      await sequenced(tenant);
      const delivered = deliver(tenant);
      const begin = Date.now();
      while (others.some(({ requests }) => requests.length < 10) && Date.now() - begin < 10_000)
        await new Promise((resolve) => setTimeout(resolve, 10));
      expect(others.map(({ requests }) => requests.length)).toEqual([10, 10, 10]);
      // The silent receiver still holds its first requests.
      expect(receiver.requests.length).toBeLessThanOrEqual(5);
      receiver.answerWith(200);
      await tenant.query(
        `UPDATE webhooks SET status = 'Disabled', disabled_reason = 'Manual' WHERE tenant_id = $1`,
      );
      receiver.closeConnections();
      await delivered;
    } finally {
      for (const other of others) await other.stop();
    }
  });

  it('are taken over when an instance ends during an attempt', async () => {
    await createTag('One');
    await deliver(tenant);
    const [delivery] = await deliveriesOf(tenant, id);
    const claim = (leftSeconds: number) =>
      tenant.query(
        `UPDATE webhook_deliveries SET status = 'Pending', claim_id = $3,
                next_attempt_at = now() + make_interval(secs => $2) WHERE tenant_id = $1`,
        leftSeconds,
        newId(),
      );
    await claim(60);
    await deliver(tenant);
    expect(receiver.requests).toHaveLength(1);
    await claim(0);
    await deliver(tenant);
    expect(receiver.requests).toHaveLength(2);
    expect(await deliveriesOf(tenant, id)).toMatchObject([{ id: delivery?.id, status: 'Delivered' }]);
  });
});
