import { DeliveryEngine } from '../../../../src/resources/webhooks/delivery/delivery-engine.js';
import { sequenced } from '../../../platform/events/event-log.js';
import { type TestTenant } from '../../../support/tenant.js';

export interface StoredDelivery {
  readonly id: string;
  readonly sequence: number | null;
  readonly type: string;
  readonly status: string;
  readonly attempts: number;
  readonly retries: number;
  readonly last_status_code: number | null;
  readonly last_error: string | null;
  /** Seconds from now. */
  readonly next_in: number | null;
}

/** Waits for the sequences of all events, and then sends what is due in the tenant, until nothing is. */
export async function deliver(tenant: TestTenant): Promise<void> {
  await sequenced(tenant);
  await tenant.service.app.get(DeliveryEngine).runTenant(tenant.id);
}

/** Oldest event first. */
export function deliveriesOf({ service, id }: TestTenant, webhookId: string): Promise<StoredDelivery[]> {
  return service.query<StoredDelivery>(
    `SELECT id, sequence::int, type, status, attempts, retries, last_status_code, last_error,
            extract(epoch FROM next_attempt_at - now())::float8 AS next_in
       FROM webhook_deliveries WHERE tenant_id = $1 AND webhook_id = $2 ORDER BY sequence, created_at, id`,
    [id, webhookId],
  );
}

/** Makes the pending deliveries of the tenant due, as if the time of their retries had come. */
export async function makeRetriesDue({ service, id }: TestTenant): Promise<void> {
  await service.query(
    `UPDATE webhook_deliveries SET next_attempt_at = now(), retry_at = now(), not_before = NULL
      WHERE tenant_id = $1 AND status = 'Pending'`,
    [id],
  );
}

export interface StoredWebhook {
  readonly status: string;
  readonly disabled_reason: string | null;
  readonly position: number;
  readonly first_failed_at: Date | null;
}

export async function webhookOf({ service, id }: TestTenant, webhookId: string): Promise<StoredWebhook> {
  const [row] = await service.query<StoredWebhook>(
    `SELECT status, disabled_reason, position::int, first_failed_at FROM webhooks WHERE tenant_id = $1 AND id = $2`,
    [id, webhookId],
  );
  if (!row) throw new Error(`No webhook ${webhookId}`);
  return row;
}

/** Inserts deliveries that are not due. Returns their ids. */
export async function savePending(
  { service, id }: TestTenant,
  webhookId: string,
  count: number,
): Promise<string[]> {
  const rows = await service.query<{ id: string }>(
    `INSERT INTO webhook_deliveries (tenant_id, id, webhook_id, sequence, event_id, type, next_attempt_at)
     SELECT w.tenant_id, gen_random_uuid(), w.id, 0, gen_random_uuid(), 'TagCreated', now() + interval '1 hour'
       FROM webhooks w, generate_series(1, $3::int) WHERE w.tenant_id = $1 AND w.id = $2 RETURNING id`,
    [id, webhookId, count],
  );
  return rows.map((row) => row.id);
}
