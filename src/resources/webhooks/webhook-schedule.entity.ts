import { Column, Entity } from 'typeorm';
import { TenantRow } from '../../platform/database/tenant-row.js';

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
