import { Column, Entity } from 'typeorm';
import { IdentifiedRow, TenantRow } from '../../platform/database/tenant-row.js';
import { type AuditAction } from '../../common/vocabulary/audit.js';
import { type WebhookDisabledReason } from '../../common/vocabulary/webhooks.js';

export const WEBHOOK_STATUSES = ['Active', 'Disabled'] as const;

export type WebhookStatus = (typeof WEBHOOK_STATUSES)[number];

@Entity('webhooks')
export class WebhookEntity extends IdentifiedRow {
  @Column('text')
  url!: string;

  @Column({ type: 'text', nullable: true })
  description!: string | null;

  /** Types of events to deliver; empty for all. */
  @Column({ type: 'text', array: true })
  types!: AuditAction[];

  /** `Deleted`: hidden until its deliveries are deleted in batches. */
  @Column('text')
  status!: WebhookStatus | 'Deleted';

  /** Only for the status `Disabled`. */
  @Column({ type: 'text', name: 'disabled_reason', nullable: true })
  disabledReason!: WebhookDisabledReason | null;

  /** The user whose rights decide what is delivered: who created the webhook or last changed its URL. */
  @Column({ type: 'uuid', name: 'created_by' })
  createdById!: string;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt!: string;

  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3 })
  updatedAt!: string;

  /** Key of the signatures. Empty for a deleted webhook. */
  @Column('bytea')
  secret!: Buffer;

  /** The secret before the last rotation; also signs until `formerSecretUntil`. */
  @Column({ type: 'bytea', name: 'former_secret', nullable: true })
  formerSecret!: Buffer | null;

  @Column({ type: 'timestamptz', name: 'former_secret_until', precision: 3, nullable: true })
  formerSecretUntil!: string | null;

  /** Sequence of the first event for which no delivery was created yet. */
  @Column('bigint')
  position!: number;

  /** First failed attempt since the last successful one. */
  @Column({ type: 'timestamptz', name: 'first_failed_at', precision: 3, nullable: true })
  firstFailedAt!: string | null;

  /** Number of deliveries created since `countedSince`: a generation. */
  @Column({ type: 'integer', name: 'counted_deliveries' })
  countedDeliveries!: number;

  @Column({ type: 'timestamptz', name: 'counted_since', precision: 3, nullable: true })
  countedSince!: string | null;

  /** Ended deliveries that are older are deleted. */
  @Column({ type: 'timestamptz', name: 'kept_since', precision: 3, nullable: true })
  keptSince!: string | null;
}

/** One row for each tenant with webhooks. */
@Entity('webhook_schedules')
export class WebhookScheduleEntity extends TenantRow {
  /** When the tenant's deliveries need work. Null: only after the next event. */
  @Column({ type: 'timestamptz', name: 'due_at', precision: 3, nullable: true })
  dueAt!: string | null;

  /** Up to which events have deliveries, as far as webhooks take more. Null without an active webhook. */
  @Column({ type: 'bigint', name: 'next_sequence', nullable: true })
  nextSequence!: number | null;

  /** Before this time, no delivery is claimed: the rate limit of the tenant. */
  @Column({ type: 'timestamptz', name: 'next_claim_at', precision: 3, nullable: true })
  nextClaimAt!: string | null;
}
