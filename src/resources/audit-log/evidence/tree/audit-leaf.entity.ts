import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Leaves of a tile that is not full yet, as many as one transaction has added. */
@Entity('audit_leaves')
export class AuditLeafEntity {
  @PrimaryColumn({ type: 'uuid', name: 'tenant_id' })
  tenantId!: string;

  /** Of the first one. */
  @PrimaryColumn('bigint')
  sequence!: number;

  /** One after another. */
  @Column('bytea')
  hashes!: Buffer;

  @Column('bytea')
  salts!: Buffer;
}
