import { Column, Entity, PrimaryColumn } from 'typeorm';
import { IdentifiedRow, TenantRow } from '../../../../platform/database/tenant-row.js';

/** A daily checkpoint. */
@Entity('audit_checkpoints')
export class AuditCheckpointEntity extends IdentifiedRow {
  /** Number of leaves. */
  @Column('bigint')
  size!: number;

  /** The signed note. */
  @Column({ type: 'text', name: 'note' })
  checkpoint!: string;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt!: string;
}

/** A key that has signed checkpoints of the tenant. Kept when another one replaces it. */
@Entity('audit_keys')
export class AuditKeyEntity extends TenantRow {
  @PrimaryColumn('text')
  origin!: string;

  @PrimaryColumn({ type: 'bytea', name: 'public_key' })
  publicKey!: Buffer;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt!: string;
}
