import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Leaf of a tile that is not full yet. */
@Entity('audit_leaves')
export class AuditLeafEntity {
  @PrimaryColumn({ type: 'uuid', name: 'tenant_id' })
  tenantId!: string;

  @PrimaryColumn('bigint')
  sequence!: number;

  @Column('bytea')
  salt!: Buffer;

  @Column('bytea')
  hash!: Buffer;
}
