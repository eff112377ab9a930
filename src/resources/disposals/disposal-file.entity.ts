import { Column, Entity, PrimaryColumn } from 'typeorm';
import { TenantRow } from '../../platform/database/tenant-row.js';

export const DECISIONS = ['Destroy', 'Transferred', 'Keep'] as const;
export type Decision = (typeof DECISIONS)[number];

export const OUTCOMES = ['Destroying', 'Destroyed', 'Kept', 'Skipped'] as const;
export type Outcome = (typeof OUTCOMES)[number];

export const SKIP_REASONS = ['NotClosed', 'NotDue', 'Held'] as const;
export type SkipReason = (typeof SKIP_REASONS)[number];

/** A file of a disposal. After its destruction, this row is what remains of the file. */
@Entity('disposal_files')
export class DisposalFileEntity extends TenantRow {
  @PrimaryColumn({ type: 'uuid', name: 'disposal_id' })
  disposalId!: string;

  @PrimaryColumn({ type: 'uuid', name: 'file_id' })
  fileId!: string;

  @Column('text')
  number!: string;

  /** Case-folded number; stays taken. */
  @Column({ type: 'text', name: 'number_key' })
  numberKey!: string;

  @Column({ type: 'timestamptz', name: 'closed_at', precision: 3 })
  closedAt!: string;

  /** `YYYY-MM-DD`, at approval. */
  @Column({ type: 'date', name: 'due_on', nullable: true })
  dueOn!: string | null;

  @Column({ type: 'text', nullable: true })
  decision!: Decision | null;

  /** Receipt of the archive that took the file. */
  @Column({ type: 'text', nullable: true })
  reference!: string | null;

  @Column({ type: 'date', name: 'keep_until', nullable: true })
  keepUntil!: string | null;

  @Column({ type: 'text', nullable: true })
  outcome!: Outcome | null;

  @Column({ type: 'text', name: 'skipped_because', nullable: true })
  skippedBecause!: SkipReason | null;

  @Column({ type: 'integer', name: 'document_count' })
  documentCount!: number;

  @Column({ type: 'bigint', name: 'document_bytes' })
  documentBytes!: number;

  @Column({ type: 'timestamptz', name: 'disposed_at', precision: 3, nullable: true })
  disposedAt!: string | null;

  /** A file is in at most one unfinished disposal. */
  @Column({ type: 'boolean', name: 'is_unfinished' })
  isUnfinished!: boolean;
}
