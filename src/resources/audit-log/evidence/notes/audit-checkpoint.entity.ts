import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A daily checkpoint. */
@Entity('audit_checkpoints')
export class AuditCheckpointEntity {
  @PrimaryColumn({ type: 'uuid', name: 'tenant_id' })
  tenantId!: string;

  @PrimaryColumn('uuid')
  id!: string;

  /** Number of leaves. */
  @Column('bigint')
  size!: number;

  /** The signed note. */
  @Column('text')
  note!: string;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt!: string;
}
