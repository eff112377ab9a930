import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { newId } from '../../common/identifier.js';
import { orNotFound } from '../../common/problem.js';
import { type Position } from '../../platform/database/paging/cursor-codec.js';
import { TenantRepository } from '../../platform/database/transactions/tenant-repository.js';
import {
  type TenantTransaction,
  type WriteTransaction,
} from '../../platform/database/transactions/tenant-transaction.js';
import { membersOf } from '../../platform/http/response/members-of.js';
import { type ExpiringRows, ExpirySweep } from '../../platform/tenancy/tenants/expiry-sweep.js';
import { type DeliveryStatus, WebhookDeliveryEntity } from './webhook-delivery.entity.js';
import { WebhookDeliveryResponse } from './webhook-deliveries.dto.js';

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
  extends TenantRepository<WebhookDeliveryEntity, WebhookDeliveryResponse>
  implements ExpiringRows
{
  readonly unmarked = { function: 'tenants_with_expired_webhook_deliveries', since: '30 days' } as const;

  constructor(dataSource: DataSource, sweep: ExpirySweep) {
    super(dataSource, WebhookDeliveryEntity, { properties: membersOf(WebhookDeliveryResponse) });
    sweep.register(this);
  }

  list(
    tx: TenantTransaction,
    webhookId: string,
    status: DeliveryStatus | undefined,
    after: Position | null,
    limit: number,
  ): Promise<WebhookDeliveryResponse[]> {
    // The status is part of the text, so that partial indexes can be used.
    return this.listPage(tx, after, limit, { webhookId }, status && `status = '${status}'`);
  }

  /** Throws the 404 when the webhook has no such delivery. */
  async lockOf(tx: TenantTransaction, webhookId: string, id: string): Promise<WebhookDeliveryResponse> {
    const lock = 'for_no_key_update';
    const [row] = await this.send(tx, this.selectStatement(tx, { webhookId, id }, { lock }));
    return orNotFound(row);
  }

  endPendingStatement(tx: WriteTransaction, webhookId: string) {
    const failed = { status: 'Failed', nextAttemptAt: null, retryAt: null } as const;
    return this.updateStatement(tx, failed, { webhookId }, { and: `status = 'Pending'` });
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

  async insertTest(tx: WriteTransaction, webhookId: string): Promise<WebhookDeliveryResponse> {
    const [, rows] = await tx.queryAll([
      {
        text: 'UPDATE webhooks SET counted_deliveries = counted_deliveries + 1 WHERE tenant_id = $1 AND id = $2',
        values: [tx.tenantId, webhookId],
      },
      this.insertStatement(tx, {
        ...{ id: newId(), webhookId, eventId: newId(), type: TEST_TYPE },
        nextAttemptAt: () => 'now()',
      }),
    ]);
    return (rows as unknown as WebhookDeliveryResponse[])[0] as WebhookDeliveryResponse;
  }

  /** Makes the delivery due at once, with all retries. Does not change one whose attempt is in progress. */
  async restart(tx: WriteTransaction, id: string): Promise<WebhookDeliveryResponse> {
    const due = { status: 'Pending', nextAttemptAt: () => 'now()', retries: 0, retryAt: null } as const;
    const changes = { ...due, notBefore: null, advanced: false, claimId: null };
    const and = `NOT (status = 'Pending' AND claim_id IS NOT NULL AND next_attempt_at > now())`;
    const rows = await this.send(tx, this.updateStatement(tx, changes, { id }, { and, returning: 'row' }));
    return rows[0] ?? this.get(tx, id);
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
