import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { newId } from '../../common/identifier.js';
import { type Position } from '../../platform/database/paging/cursor-codec.js';
import { TenantRepository } from '../../platform/database/transactions/tenant-repository.js';
import {
  type TenantTransaction,
  type WriteTransaction,
} from '../../platform/database/transactions/tenant-transaction.js';
import { type ExpiringRows } from '../../platform/tenancy/tenants/expiry-sweep.js';
import { type DeliveryStatus, WebhookDeliveryEntity } from './webhook-delivery.entity.js';
import { DELIVERY_COLUMNS, type WebhookDeliveryRow } from './webhook-deliveries.dto.js';

/** A webhook gets no further deliveries while this many are pending. */
export const MAX_PENDING = 1000;
/** Type of the event that TestWebhook sends. It is not in the audit log. */
export const TEST_TYPE = 'WebhookTest';
const BATCH = 20_000;
/** At least this many newer deliveries of a webhook are kept: of the current generation, and of the one before. */
const GENERATION = 50_000;

const EXPIRED = `FROM webhooks w JOIN webhook_deliveries d ON d.tenant_id = $1 AND d.webhook_id = w.id
  WHERE w.tenant_id = $1 AND d.status <> 'Pending'
    AND d.created_at <= greatest(now() - interval '30 days', w.kept_since)`;
const OF_DELETED_WEBHOOKS = `FROM webhook_deliveries d
  WHERE d.tenant_id = $1
    AND d.webhook_id = ANY (ARRAY(SELECT w.id FROM webhooks w WHERE w.tenant_id = $1 AND w.status = 'Deleted'))`;
const EMPTY_WEBHOOKS = `w.tenant_id = $1 AND w.status = 'Deleted' AND NOT EXISTS (
  SELECT FROM webhook_deliveries d WHERE d.tenant_id = $1 AND d.webhook_id = w.id)`;

@Injectable()
export class WebhookDeliveriesRepository
  extends TenantRepository<WebhookDeliveryEntity>
  implements ExpiringRows
{
  readonly unmarked = { function: 'tenants_with_expired_webhook_deliveries', since: '30 days' } as const;
  private readonly rowColumns: string;

  constructor(dataSource: DataSource) {
    super(dataSource, WebhookDeliveryEntity);
    this.rowColumns = this.select('d', DELIVERY_COLUMNS);
  }

  list(
    tx: TenantTransaction,
    webhookId: string,
    status: DeliveryStatus | undefined,
    after: Position | null,
    limit: number,
  ): Promise<WebhookDeliveryRow[]> {
    // The status is part of the text, so that partial indexes can be used.
    const withStatus = status ? `AND d.status = '${status}'` : '';
    const afterPosition = after ? 'AND (d.created_at, d.id) < ($4::timestamptz, $5::uuid)' : '';
    return tx.query<WebhookDeliveryRow>(
      `SELECT ${this.rowColumns} FROM webhook_deliveries d
        WHERE d.tenant_id = $1 AND d.webhook_id = $2 ${withStatus} ${afterPosition}
        ORDER BY d.created_at DESC, d.id DESC LIMIT $3`,
      [tx.tenantId, webhookId, limit + 1, ...(after ?? [])],
    );
  }

  async lockOfOrNull(
    tx: TenantTransaction,
    webhookId: string,
    id: string,
  ): Promise<WebhookDeliveryRow | null> {
    const [row] = await tx.query<WebhookDeliveryRow>(
      `SELECT ${this.rowColumns} FROM webhook_deliveries d
        WHERE d.tenant_id = $1 AND d.webhook_id = $2 AND d.id = $3 FOR NO KEY UPDATE`,
      [tx.tenantId, webhookId, id],
    );
    return row ?? null;
  }

  /** The number of pending deliveries, at most {@link MAX_PENDING}. */
  async countPending(tx: TenantTransaction, webhookId: string): Promise<number> {
    const [row] = await tx.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM (
         SELECT FROM webhook_deliveries d
          WHERE d.tenant_id = $1 AND d.webhook_id = $2 AND d.status = 'Pending' LIMIT ${MAX_PENDING}) pending`,
      [tx.tenantId, webhookId],
    );
    return row?.count ?? 0;
  }

  async insertTest(tx: WriteTransaction, webhookId: string): Promise<WebhookDeliveryRow> {
    const [, rows] = await tx.queryAll([
      {
        text: 'UPDATE webhooks SET counted_deliveries = counted_deliveries + 1 WHERE tenant_id = $1 AND id = $2',
        values: [tx.tenantId, webhookId],
      },
      {
        text: `INSERT INTO webhook_deliveries AS d (tenant_id, id, webhook_id, event_id, type, next_attempt_at)
               VALUES ($1, $2, $3, $4, $5, now()) RETURNING ${this.rowColumns}`,
        values: [tx.tenantId, newId(), webhookId, newId(), TEST_TYPE],
      },
    ]);
    return (rows as unknown as WebhookDeliveryRow[])[0] as WebhookDeliveryRow;
  }

  /** Makes the delivery due at once, with all retries. Does not change one whose attempt is in progress. */
  async restart(tx: WriteTransaction, id: string): Promise<WebhookDeliveryRow> {
    const rows = await tx.query<WebhookDeliveryRow>(
      `UPDATE webhook_deliveries d SET status = 'Pending', next_attempt_at = now(), retries = 0, retry_at = NULL,
              not_before = NULL, advanced = false, claim_id = NULL
        WHERE d.tenant_id = $1 AND d.id = $2
          AND NOT (d.status = 'Pending' AND d.claim_id IS NOT NULL AND d.next_attempt_at > now())
       RETURNING ${this.rowColumns}`,
      [tx.tenantId, id],
    );
    return (rows[0] ?? (await this.find(tx, id))) as WebhookDeliveryRow;
  }

  /** Deletes one batch of deliveries after 30 days, after many newer ones, or after their webhook. The next sweep deletes the rest. */
  async markExpired(tx: WriteTransaction): Promise<void> {
    await tx.queryAll([
      {
        text: `UPDATE webhooks SET kept_since = counted_since, counted_since = now(), counted_deliveries = 0
                WHERE tenant_id = $1 AND counted_deliveries >= ${GENERATION}`,
        values: [tx.tenantId],
      },
      ...[EXPIRED, OF_DELETED_WEBHOOKS].map((rows) => ({
        text: `DELETE FROM webhook_deliveries WHERE tenant_id = $1 AND id = ANY (ARRAY(
                 SELECT d.id ${rows} LIMIT ${BATCH} FOR UPDATE OF d SKIP LOCKED))`,
        values: [tx.tenantId],
      })),
      {
        text: `DELETE FROM webhooks w WHERE ${EMPTY_WEBHOOKS}`,
        values: [tx.tenantId],
      },
    ]);
  }
}
