import { Column, Entity } from 'typeorm';
import { TenantRow } from '../database/tenant-row.js';

/** Head of a tenant's event log. The sequencer locks it. Not in `tenants`, which every writer of the tenant locks. */
@Entity('event_logs')
export class EventLogEntity extends TenantRow {
  /** Changes when the database is restored. Cursors contain it. */
  @Column('uuid')
  id!: string;

  @Column({ type: 'bigint', name: 'next_sequence' })
  nextSequence!: number;

  /** Last entry from before the event log that has a sequence; null before the first one. */
  @Column({ type: 'timestamptz', name: 'backfilled_time', precision: 3, nullable: true })
  backfilledTime!: string | null;

  @Column({ type: 'uuid', name: 'backfilled_id', nullable: true })
  backfilledId!: string | null;
}
