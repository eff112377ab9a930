import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A key that has signed checkpoints of the tenant. Kept when another one replaces it. */
@Entity('audit_keys')
export class AuditKeyEntity {
  @PrimaryColumn({ type: 'uuid', name: 'tenant_id' })
  tenantId!: string;

  @PrimaryColumn('text')
  origin!: string;

  @PrimaryColumn({ type: 'bytea', name: 'public_key' })
  publicKey!: Buffer;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt!: string;
}
