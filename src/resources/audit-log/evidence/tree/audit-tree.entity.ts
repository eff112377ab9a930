import { Column, Entity } from 'typeorm';
import { TenantRow } from '../../../../platform/database/tenant-row.js';

/** Head of a tenant's Merkle tree, locked to add leaves. Not in `event_logs`, which the sequencer locks. */
@Entity('audit_trees')
export class AuditTreeEntity extends TenantRow {
  /** Number of leaves: those of the events with a lower sequence. */
  @Column('bigint')
  size!: number;

  /** The event log that the origin is for; null before the first checkpoint. */
  @Column({ type: 'uuid', name: 'log_id', nullable: true })
  logId!: string | null;

  /** First line of checkpoints, and name of the keys. */
  @Column({ type: 'text', nullable: true })
  origin!: string | null;

  /** Of the last daily checkpoint; -1 before the first one. */
  @Column({ type: 'bigint', name: 'checkpoint_size' })
  checkpointSize!: number;

  /** Time of the last daily checkpoint, or of the creation. */
  @Column({ type: 'timestamptz', name: 'checkpoint_at', precision: 3 })
  checkpointAt!: string;
}
