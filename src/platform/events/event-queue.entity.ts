import { Column, Entity, PrimaryColumn } from 'typeorm';
import { TenantRow } from '../database/tenant-row.js';

/**
 * An audit entry without a sequence; written in the transaction of the entry. The nil id marks a tenant whose entries
 * from before the event log have no sequence yet.
 */
@Entity('event_queue')
export class EventQueueEntity extends TenantRow {
  @PrimaryColumn({ type: 'uuid', name: 'entry_id' })
  entryId!: string;

  /** By the clock of the database. */
  @Column({ type: 'timestamptz', name: 'queued_at', precision: 6 })
  queuedAt!: string;
}
