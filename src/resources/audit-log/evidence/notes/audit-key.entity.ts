import { Column, Entity, PrimaryColumn } from 'typeorm';
import { TenantRow } from '../../../../platform/database/tenant-row.js';

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
