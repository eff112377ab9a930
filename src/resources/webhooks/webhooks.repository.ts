import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { notFound } from '../../common/problem.js';
import { type WebhookDisabledReason } from '../../common/vocabulary/webhooks.js';
import { type Position } from '../../platform/database/paging/cursor-codec.js';
import { TenantRepository } from '../../platform/database/transactions/tenant-repository.js';
import {
  type TenantTransaction,
  type WriteTransaction,
} from '../../platform/database/transactions/tenant-transaction.js';
import { WebhookEntity } from './webhook.entity.js';
import { WEBHOOK_COLUMNS, type WebhookRow } from './webhooks.dto.js';

/** How long deliveries also carry the signature of the secret before a rotation. */
const FORMER_SECRET_VALID = '24 hours';

@Injectable()
export class WebhooksRepository extends TenantRepository<WebhookEntity> {
  private readonly rowColumns: string;

  constructor(dataSource: DataSource) {
    super(dataSource, WebhookEntity);
    this.rowColumns = this.select('w', WEBHOOK_COLUMNS);
  }

  list(tx: TenantTransaction, after: Position | null, limit: number): Promise<WebhookRow[]> {
    const afterPosition = after ? 'AND (w.created_at, w.id) < ($3::timestamptz, $4::uuid)' : '';
    return tx.query<WebhookRow>(
      `SELECT ${this.rowColumns} FROM webhooks w
        WHERE w.tenant_id = $1 AND w.status <> 'Deleted' ${afterPosition}
        ORDER BY w.created_at DESC, w.id DESC LIMIT $2`,
      [tx.tenantId, limit + 1, ...(after ?? [])],
    );
  }

  async findRow(tx: TenantTransaction, id: string): Promise<WebhookRow | null> {
    const [row] = await tx.query<WebhookRow>(
      `SELECT ${this.rowColumns} FROM webhooks w
        WHERE w.tenant_id = $1 AND w.id = $2 AND w.status <> 'Deleted'`,
      [tx.tenantId, id],
    );
    return row ?? null;
  }

  /**
   * Locks the tenant's schedule, then the webhook. The lock of the schedule serializes the change with the work on
   * deliveries.
   */
  async lockRow(tx: WriteTransaction, id: string): Promise<WebhookRow> {
    const [, rows] = await tx.queryAll([
      lockSchedule(tx),
      {
        text: `SELECT ${this.rowColumns} FROM webhooks w
                WHERE w.tenant_id = $1 AND w.id = $2 AND w.status <> 'Deleted' FOR NO KEY UPDATE`,
        values: [tx.tenantId, id],
      },
    ]);
    const [row] = rows as unknown as WebhookRow[];
    if (!row) throw notFound();
    return row;
  }

  /** Locks the tenant's schedule, which it creates for the first webhook, and counts the webhooks. */
  async lockAndCount(tx: WriteTransaction): Promise<number> {
    const [, , rows] = await tx.queryAll([
      {
        text: 'INSERT INTO webhook_schedules (tenant_id) VALUES ($1) ON CONFLICT (tenant_id) DO NOTHING',
        values: [tx.tenantId],
      },
      lockSchedule(tx),
      {
        text: `SELECT count(*)::int AS count FROM webhooks w WHERE w.tenant_id = $1 AND w.status <> 'Deleted'`,
        values: [tx.tenantId],
      },
    ]);
    return (rows as unknown as { count: number }[])[0]?.count ?? 0;
  }

  /** Whether the user is a member who may read the audit log. */
  async mayReadEvents(tx: TenantTransaction, userId: string): Promise<boolean> {
    const rows = await tx.query(
      `SELECT FROM members m JOIN roles r ON r.tenant_id = m.tenant_id AND r.id = m.role_id
        WHERE m.tenant_id = $1 AND r.tenant_id = $1 AND m.user_id = $2 AND 'auditLog.read' = ANY (r.permissions)`,
      [tx.tenantId, userId],
    );
    return rows.length > 0;
  }

  async isMember(tx: TenantTransaction, userId: string): Promise<boolean> {
    const rows = await tx.query('SELECT FROM members WHERE tenant_id = $1 AND user_id = $2', [
      tx.tenantId,
      userId,
    ]);
    return rows.length > 0;
  }

  async rotateSecret(tx: WriteTransaction, id: string, secret: Buffer): Promise<WebhookRow> {
    const [row] = await tx.query<WebhookRow>(
      `UPDATE webhooks w SET secret = $3, former_secret = w.secret, updated_at = now(),
              former_secret_until = now() + interval '${FORMER_SECRET_VALID}'
        WHERE w.tenant_id = $1 AND w.id = $2 RETURNING ${this.rowColumns}`,
      [tx.tenantId, id, secret],
    );
    return row as WebhookRow;
  }

  /** The webhook has no pending deliveries any more. Those in progress still store their outcome. */
  async disable(tx: WriteTransaction, id: string, reason: WebhookDisabledReason): Promise<void> {
    await tx.queryAll([
      {
        text: `UPDATE webhooks SET status = 'Disabled', disabled_reason = $3, first_failed_at = NULL, updated_at = now()
                WHERE tenant_id = $1 AND id = $2`,
        values: [tx.tenantId, id, reason],
      },
      endPending(tx, id),
    ]);
    await this.changePrices(tx);
  }

  /** Hides the webhook and erases its secrets. Its deliveries are deleted later, in batches. */
  async hide(tx: WriteTransaction, id: string): Promise<void> {
    await tx.queryAll([
      {
        text: `UPDATE webhooks SET status = 'Deleted', disabled_reason = NULL, secret = '', former_secret = NULL,
                      former_secret_until = NULL
                WHERE tenant_id = $1 AND id = $2`,
        values: [tx.tenantId, id],
      },
      endPending(tx, id),
    ]);
    await this.changePrices(tx);
  }

  /**
   * Makes every process read the types of the active webhooks again: the price of a change depends on them. They are
   * cached with the rights of each caller. Call it after the lock of the schedule.
   */
  changePrices(tx: WriteTransaction): Promise<void> {
    return tx.startAccessChange();
  }

  /** Makes the tenant's deliveries due for work after the commit. */
  async wake(tx: WriteTransaction): Promise<void> {
    await tx.query('UPDATE webhook_schedules SET due_at = now() WHERE tenant_id = $1', [tx.tenantId]);
  }
}

function lockSchedule(tx: WriteTransaction) {
  return {
    text: 'SELECT FROM webhook_schedules WHERE tenant_id = $1 FOR NO KEY UPDATE',
    values: [tx.tenantId],
  };
}

function endPending(tx: WriteTransaction, webhookId: string) {
  return {
    text: `UPDATE webhook_deliveries SET status = 'Failed', next_attempt_at = NULL, retry_at = NULL
            WHERE tenant_id = $1 AND webhook_id = $2 AND status = 'Pending'`,
    values: [tx.tenantId, webhookId],
  };
}
