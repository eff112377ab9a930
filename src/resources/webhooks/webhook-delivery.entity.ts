import { Column, Entity } from 'typeorm';
import { IdentifiedRow } from '../../platform/database/tenant-row.js';

export const DELIVERY_STATUSES = ['Pending', 'Delivered', 'Failed'] as const;

export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

export const DELIVERY_ERRORS = [
  'AddressRefused',
  'ConnectionFailed',
  'TlsFailed',
  'Timeout',
  'BadStatus',
  'Redirect',
] as const;

export type DeliveryError = (typeof DELIVERY_ERRORS)[number];

/** An event that is, was or is to be sent to a webhook. */
@Entity('webhook_deliveries')
export class WebhookDeliveryEntity extends IdentifiedRow {
  @Column({ type: 'uuid', name: 'webhook_id' })
  webhookId!: string;

  /** Null for a test. */
  @Column({ type: 'bigint', nullable: true })
  sequence!: number | null;

  @Column({ type: 'uuid', name: 'event_id' })
  eventId!: string;

  @Column('text')
  type!: string;

  @Column('text')
  status!: DeliveryStatus;

  /** Completed attempts. */
  @Column('integer')
  attempts!: number;

  @Column({ type: 'integer', name: 'last_status_code', nullable: true })
  lastStatusCode!: number | null;

  /** Null after a success, and before the first attempt. */
  @Column({ type: 'text', name: 'last_error', nullable: true })
  lastError!: DeliveryError | null;

  @Column({ type: 'integer', name: 'last_duration_ms', nullable: true })
  lastDurationMs!: number | null;

  @Column({ type: 'timestamptz', name: 'last_attempt_at', precision: 3, nullable: true })
  lastAttemptAt!: string | null;

  /** Only while pending. During an attempt: when another instance may repeat it. */
  @Column({ type: 'timestamptz', name: 'next_attempt_at', precision: 3, nullable: true })
  nextAttemptAt!: string | null;

  /** Number of used retries of the schedule. An attempt before its scheduled time uses none. */
  @Column('integer')
  retries!: number;

  /** Scheduled time of the next retry; `nextAttemptAt` is earlier after a success of another delivery. */
  @Column({ type: 'timestamptz', name: 'retry_at', precision: 3, nullable: true })
  retryAt!: string | null;

  /** Time in the receiver's Retry-After. */
  @Column({ type: 'timestamptz', name: 'not_before', precision: 3, nullable: true })
  notBefore!: string | null;

  /** Whether a success of another delivery has made it due early since its last scheduled attempt. */
  @Column('boolean')
  advanced!: boolean;

  /** Identifies the attempt in progress. */
  @Column({ type: 'uuid', name: 'claim_id', nullable: true })
  claimId!: string | null;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt!: string;
}
