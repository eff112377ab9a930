import { type EventRow } from '../../../platform/events/events.reader.js';
import { presentEvent } from '../../../platform/events/event.dto.js';
import { TEST_TYPE } from '../webhook-deliveries.repository.js';
import { signatures } from '../webhook-secret.js';
import { type WebhookRequest } from '../sending/webhook-client.js';
import { type ActiveWebhook, type DueDelivery } from './webhook-work.repository.js';

interface Payload {
  readonly type: string;
  readonly timestamp: string;
  readonly data: object;
}

/** The body with what the webhook's creator may read now. */
export function eventPayload(tenantId: string, event: EventRow, readerId: string): Payload {
  const data = { ...presentEvent(event, readerId), tenantId };
  return { type: data.type, timestamp: data.occurredAt, data };
}

export function testPayload(
  tenantId: string,
  { webhookId, eventId, createdAt }: Pick<DueDelivery, 'webhookId' | 'eventId' | 'createdAt'>,
): Payload {
  const data = {
    sequence: null,
    id: eventId,
    type: TEST_TYPE,
    occurredAt: createdAt,
    actorId: null,
    subjectType: 'Webhook',
    subjectId: webhookId,
    related: {},
    tenantId,
  };
  return { type: TEST_TYPE, timestamp: createdAt, data };
}

/**
 * The request by Standard Webhooks. Receivers refuse a time that differs from theirs by minutes, so it is that of the
 * database, which is the same for all processes.
 *
 * @param now time of the attempt
 */
export function signedRequest(
  { url, secrets }: Pick<ActiveWebhook, 'url' | 'secrets'>,
  eventId: string,
  payload: Payload,
  now: string,
): WebhookRequest {
  const body = JSON.stringify(payload);
  const timestamp = Math.floor(Date.parse(now) / 1000);
  return {
    url,
    body,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'filing-service',
      'webhook-id': eventId,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signatures(secrets, eventId, timestamp, body),
    },
  };
}
