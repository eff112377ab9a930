import { Injectable } from '@nestjs/common';
import { newId } from '../../../common/identifier.js';
import { type AuditAction } from '../../../common/vocabulary/audit.js';
import { type Row, type Statement } from '../../../platform/database/transactions/tenant-batch.js';
import { type WriteTransaction } from '../../../platform/database/transactions/tenant-transaction.js';
import { UnitOfWork } from '../../../platform/database/transactions/unit-of-work.js';

/**
 * Longer than an attempt. After it, another instance repeats an attempt whose outcome was not stored. Until then, the
 * attempts of an instance that has ended use slots of their webhooks.
 */
const LEASE = '30 seconds';
/** After this time without a success, a failure disables the webhook. */
const FAILING_FOR = '5 days';
/** A success of another delivery makes the same delivery due early once per scheduled retry, or once in this time. */
const ADVANCE_INTERVAL = '1 minute';

/** An active webhook, locked until the commit. */
export interface ActiveWebhook {
  readonly id: string;
  readonly url: string;
  readonly types: readonly AuditAction[];
  readonly createdBy: string;
  readonly position: number;
  readonly secrets: readonly Buffer[];
  /** Whether an attempt has failed since the last success. */
  readonly isFailing: boolean;
  readonly isFailingLong: boolean;
  readonly isCreatorMember: boolean;
  readonly mayCreatorRead: boolean;
  readonly inFlight: number;
}

export interface DueDelivery {
  readonly id: string;
  readonly webhookId: string;
  readonly sequence: number | null;
  readonly eventId: string;
  readonly retries: number;
  readonly createdAt: string;
  /** Whether a success of another delivery has made it due early. */
  readonly advanced: boolean;
  /** Seconds until the scheduled retry; null if there was no attempt. */
  readonly retryIn: number | null;
}

/** What remains to be stored of an attempt. */
export interface StoredOutcome {
  readonly deliveryId: string;
  readonly claimId: string;
  readonly statusCode: number | null;
  readonly error: string | null;
  readonly durationMs: number;
  /** `delivered`, `exhausted`: no retry; else the next retry. */
  readonly next: 'delivered' | 'exhausted' | NextAttempt;
}

export interface NextAttempt {
  readonly retries: number;
  readonly advanced: boolean;
  readonly inSeconds: number;
  /** Null without a Retry-After. */
  readonly notBeforeSeconds: number | null;
}

export interface NewDelivery {
  readonly webhookId: string;
  readonly sequence: number;
  readonly eventId: string;
  readonly type: string;
}

export interface LockedSchedule {
  /** The database's time. */
  readonly now: string;
  /** Null if no delivery was claimed yet. */
  readonly nextClaimAt: string | null;
  /** Whether the tenant is suspended. */
  readonly isSuspended: boolean;
}

const CLAIMED = 'tenant_id = $1 AND id = $2 AND claim_id = $3';

const ACTIVE = `
  SELECT w.id, w.url, w.types, w.created_by AS "createdBy", w.position, w.secret,
         w.former_secret AS "formerSecret", coalesce(w.former_secret_until > $2::timestamptz, false) AS "isRotated",
         w.first_failed_at IS NOT NULL AS "isFailing",
         coalesce(w.first_failed_at <= $2::timestamptz - interval '${FAILING_FOR}', false) AS "isFailingLong",
         m.user_id IS NOT NULL AS "isCreatorMember",
         coalesce('auditLog.read' = ANY (r.permissions), false) AS "mayCreatorRead",
         (SELECT count(*)::int FROM webhook_deliveries d
           WHERE d.tenant_id = $1 AND d.webhook_id = w.id AND d.claim_id IS NOT NULL
             AND d.next_attempt_at > $2::timestamptz) AS "inFlight"
    FROM webhooks w
    LEFT JOIN members m ON m.tenant_id = $1 AND m.user_id = w.created_by
    LEFT JOIN roles r ON r.tenant_id = $1 AND r.id = m.role_id
   WHERE w.tenant_id = $1 AND w.status = 'Active'
   ORDER BY w.id FOR NO KEY UPDATE OF w`;

/** SQL of the work on a tenant's deliveries. All of it runs under the lock of the tenant's schedule. */
@Injectable()
export class WebhookWorkRepository {
  constructor(private readonly uow: UnitOfWork) {}

  /** Whether a search for due tenants reads each shard. */
  get isDistributed(): boolean {
    return this.uow.layout.isDistributed;
  }

  /** Ids of tenants with work. @param among Only these; null for all. */
  async findDueTenants(among: readonly string[] | null): Promise<string[]> {
    const rows = await this.uow.readAllTenants<{ id: string }>({
      text: 'SELECT * FROM tenants_with_due_webhooks($1::uuid[]) AS t (id) LIMIT 1000',
      values: [among],
    });
    return rows.map(({ id }) => id);
  }

  /** Locks the tenant's schedule; null if the tenant has no webhooks. */
  async lockScheduleOrNull(tx: WriteTransaction): Promise<LockedSchedule | null> {
    const { table, tenantId } = tx.layout.accessVersions;
    // Two statements: the second one sees a suspension that ended while the first one waited for the lock.
    const [[row], [tenant]] = await tx.queryAll<
      [Omit<LockedSchedule, 'isSuspended'>, { isSuspended: boolean }]
    >([
      {
        text: `SELECT clock_timestamp()::timestamptz(3) AS now, next_claim_at AS "nextClaimAt"
                 FROM webhook_schedules WHERE tenant_id = $1 FOR NO KEY UPDATE`,
        values: [tx.tenantId],
      },
      {
        text: `SELECT suspended_at IS NOT NULL AS "isSuspended" FROM ${table} WHERE ${tenantId} = $1`,
        values: [tx.tenantId],
      },
    ]);
    return row ? { ...row, isSuspended: tenant?.isSuspended ?? false } : null;
  }

  /** Stores outcomes of attempts whose claim still exists. Then returns the active webhooks. */
  async storeAndLoad(
    tx: WriteTransaction,
    now: string,
    outcomes: readonly StoredOutcome[],
    interrupted: readonly { readonly deliveryId: string; readonly claimId: string }[],
  ): Promise<ActiveWebhook[]> {
    const results = await tx.queryAll([
      ...interrupted.map(({ deliveryId, claimId }) => ({
        text: `UPDATE webhook_deliveries SET claim_id = NULL, next_attempt_at = now() WHERE ${CLAIMED} AND status = 'Pending'`,
        values: [tx.tenantId, deliveryId, claimId],
      })),
      ...outcomes.flatMap((outcome) => outcomeStatements(tx, outcome)),
      { text: ACTIVE, values: [tx.tenantId, now] },
    ]);
    return (results.at(-1) ?? []).map(activeWebhook);
  }

  async setFailing(tx: WriteTransaction, webhookId: string, isFailing: boolean): Promise<void> {
    await tx.query(
      `UPDATE webhooks SET first_failed_at = ${isFailing ? 'now()' : 'NULL'} WHERE tenant_id = $1 AND id = $2`,
      [tx.tenantId, webhookId],
    );
  }

  /** Makes the pending deliveries of a webhook due, but not before the receiver's Retry-After. */
  async advancePending(tx: WriteTransaction, webhookId: string): Promise<void> {
    const waiting = `tenant_id = $1 AND webhook_id = $2 AND status = 'Pending' AND claim_id IS NULL
      AND (NOT advanced OR last_attempt_at <= now() - interval '${ADVANCE_INTERVAL}')`;
    await tx.queryAll([
      {
        text: `UPDATE webhook_deliveries SET next_attempt_at = now(), advanced = true
                WHERE ${waiting} AND next_attempt_at > now() AND (not_before IS NULL OR not_before <= now())`,
        values: [tx.tenantId, webhookId],
      },
      {
        text: `UPDATE webhook_deliveries SET next_attempt_at = not_before, advanced = true
                WHERE ${waiting} AND not_before > now() AND next_attempt_at > not_before`,
        values: [tx.tenantId, webhookId],
      },
    ]);
  }

  async insertDeliveries(tx: WriteTransaction, deliveries: readonly NewDelivery[]): Promise<void> {
    if (deliveries.length === 0) return;
    const { newRows } = tx.layout;
    const rows = `unnest($2::uuid[], $3::uuid[], $4::bigint[], $5::uuid[], $6::text[])
      AS n (id, webhook_id, sequence, event_id, type)`;
    await tx.query(
      `INSERT INTO webhook_deliveries (tenant_id, id, webhook_id, sequence, event_id, type, next_attempt_at)
       SELECT ${newRows.tenantId}, n.id, n.webhook_id, n.sequence, n.event_id, n.type, now() FROM ${newRows.from(rows)}`,
      [
        tx.tenantId,
        deliveries.map(() => newId()),
        deliveries.map(({ webhookId }) => webhookId),
        deliveries.map(({ sequence }) => sequence),
        deliveries.map(({ eventId }) => eventId),
        deliveries.map(({ type }) => type),
      ],
    );
  }

  async advance(tx: WriteTransaction, webhookId: string, created: number, position: number): Promise<void> {
    await tx.query(
      `UPDATE webhooks SET position = $4, counted_deliveries = counted_deliveries + $3
        WHERE tenant_id = $1 AND id = $2`,
      [tx.tenantId, webhookId, created, position],
    );
  }

  /** The longest due deliveries of each webhook, as many as it has slots. */
  async findDue(
    tx: WriteTransaction,
    webhooks: readonly { readonly id: string; readonly slots: number }[],
  ): Promise<DueDelivery[]> {
    return tx.query<DueDelivery>(
      `SELECT due.* FROM unnest($2::uuid[], $3::int[]) AS w (id, slots)
        CROSS JOIN LATERAL (
          SELECT d.id, d.webhook_id AS "webhookId", d.sequence, d.event_id AS "eventId", d.retries,
                 d.created_at AS "createdAt", d.advanced,
                 extract(epoch FROM d.retry_at - clock_timestamp())::float8 AS "retryIn"
            FROM webhook_deliveries d
           WHERE d.tenant_id = $1 AND d.webhook_id = w.id AND d.status = 'Pending'
             AND d.next_attempt_at <= clock_timestamp()
           ORDER BY d.next_attempt_at LIMIT w.slots) due`,
      [tx.tenantId, webhooks.map(({ id }) => id), webhooks.map(({ slots }) => slots)],
    );
  }

  async claim(tx: WriteTransaction, ids: readonly string[], claimId: string): Promise<void> {
    await tx.query(
      `UPDATE webhook_deliveries SET claim_id = $3, next_attempt_at = now() + interval '${LEASE}'
        WHERE tenant_id = $1 AND id = ANY ($2::uuid[])`,
      [tx.tenantId, ids, claimId],
    );
  }

  /**
   * Returns the next attempt, or the end of a lease, of these webhooks.
   *
   * @param full Webhooks whose slots are all used: only the ends of their leases count.
   */
  async nextAttempt(
    tx: WriteTransaction,
    { open, full }: { readonly open: readonly string[]; readonly full: readonly string[] },
  ): Promise<string | null> {
    const [row] = await tx.query<{ at: string | null }>(
      `SELECT min(next.at) AS at FROM unnest($2::uuid[], $3::boolean[]) AS w (id, is_full)
        CROSS JOIN LATERAL (
          SELECT d.next_attempt_at AS at FROM webhook_deliveries d
           WHERE d.tenant_id = $1 AND d.webhook_id = w.id AND d.status = 'Pending'
             AND (d.claim_id IS NOT NULL OR NOT w.is_full)
           ORDER BY d.next_attempt_at LIMIT 1) next`,
      [tx.tenantId, [...open, ...full], [...open.map(() => false), ...full.map(() => true)]],
    );
    return row?.at ?? null;
  }
}

/** The next attempt is only stored while the delivery is pending: its webhook may have been disabled meanwhile. */
function outcomeStatements(tx: WriteTransaction, outcome: StoredOutcome): Statement[] {
  const claimed = [tx.tenantId, outcome.deliveryId, outcome.claimId];
  const result = `attempts = attempts + 1, last_status_code = $4, last_error = $5, last_duration_ms = $6,
    last_attempt_at = now(), claim_id = NULL`;
  const values = [...claimed, outcome.statusCode, outcome.error, outcome.durationMs];
  const { next } = outcome;
  if (next === 'delivered') {
    const ended = `status = 'Delivered', next_attempt_at = NULL, retry_at = NULL, not_before = NULL`;
    return [{ text: `UPDATE webhook_deliveries SET ${ended}, ${result} WHERE ${CLAIMED}`, values }];
  }
  const change =
    next === 'exhausted'
      ? {
          text: `UPDATE webhook_deliveries SET status = 'Failed', next_attempt_at = NULL, retry_at = NULL
                  WHERE ${CLAIMED} AND status = 'Pending'`,
          values: claimed,
        }
      : {
          text: `UPDATE webhook_deliveries
                    SET retries = $4, advanced = $5, retry_at = now() + make_interval(secs => $6),
                        next_attempt_at = now() + make_interval(secs => $6),
                        not_before = now() + make_interval(secs => $7)
                  WHERE ${CLAIMED} AND status = 'Pending'`,
          values: [...claimed, next.retries, next.advanced, next.inSeconds, next.notBeforeSeconds],
        };
  return [change, { text: `UPDATE webhook_deliveries SET ${result} WHERE ${CLAIMED}`, values }];
}

function activeWebhook(row: Row): ActiveWebhook {
  const { secret, formerSecret, isRotated, ...webhook } = row as unknown as ActiveWebhook & {
    secret: Buffer;
    formerSecret: Buffer | null;
    isRotated: boolean;
  };
  return { ...webhook, secrets: isRotated && formerSecret ? [secret, formerSecret] : [secret] };
}
