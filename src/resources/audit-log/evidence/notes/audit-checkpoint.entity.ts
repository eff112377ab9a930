import { Column, Entity } from 'typeorm';
import { IdentifiedRow } from '../../../../platform/database/tenant-row.js';

/** A daily checkpoint. */
@Entity('audit_checkpoints')
export class AuditCheckpointEntity extends IdentifiedRow {
  /** Number of leaves. */
  @Column('bigint')
  size!: number;

  /** The signed note. */
  @Column('text')
  note!: string;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt!: string;
}
