import { newId } from '../../src/common/identifier.js';
import { type Actor } from '../support/actor.js';
import { type TestTenant } from '../support/tenant.js';

export interface WebhookOverrides {
  readonly url?: string;
  readonly types?: readonly string[];
  readonly disabledReason?: 'Manual' | 'Gone' | 'Failing' | 'CreatorLostRight';
}

/** Inserts a webhook directly. It is active and begins at the end of the event log. */
export async function saveWebhook(
  tenant: TestTenant,
  { userId }: Actor,
  { url = 'https://receiver.example/events', types = [], disabledReason }: WebhookOverrides = {},
): Promise<{ id: string }> {
  const id = newId();
  await tenant.service.query(
    'INSERT INTO webhook_schedules (tenant_id) VALUES ($1) ON CONFLICT (tenant_id) DO NOTHING',
    [tenant.id],
  );
  await tenant.service.query(
    `INSERT INTO webhooks (tenant_id, id, url, types, status, disabled_reason, created_by, secret, position, created_at,
                           updated_at)
     SELECT l.tenant_id, $2, $3, $4, $5, $6, $7, $8, l.next_sequence, now() - interval '1 hour',
            now() - interval '1 hour'
       FROM event_logs l WHERE l.tenant_id = $1`,
    [
      tenant.id,
      id,
      url,
      types,
      disabledReason ? 'Disabled' : 'Active',
      disabledReason ?? null,
      userId,
      Buffer.alloc(32, id),
    ],
  );
  return { id };
}

export interface DeliveryOverrides {
  readonly status?: 'Pending' | 'Delivered' | 'Failed';
  readonly sequence?: number | null;
  /** ISO 8601; now by default. */
  readonly createdAt?: string;
  /** ISO 8601; for a pending delivery, in an hour by default. */
  readonly nextAttemptAt?: string;
}

/** Inserts a delivery directly. Its event does not exist, so it must not become due. */
export async function saveDelivery(
  tenant: TestTenant,
  webhookId: string,
  { status = 'Delivered', sequence = 0, createdAt, nextAttemptAt }: DeliveryOverrides = {},
): Promise<{ id: string }> {
  const id = newId();
  const next = nextAttemptAt ?? new Date(Date.now() + 3_600_000).toISOString();
  await tenant.service.query(
    `INSERT INTO webhook_deliveries
       (tenant_id, id, webhook_id, sequence, event_id, type, status, attempts, next_attempt_at, created_at)
     VALUES ($1, $2, $3, $4, $5, 'TagCreated', $6, 1, $7, coalesce($8, now()))`,
    [
      tenant.id,
      id,
      webhookId,
      sequence,
      newId(),
      status,
      status === 'Pending' ? next : null,
      createdAt ?? null,
    ],
  );
  return { id };
}
