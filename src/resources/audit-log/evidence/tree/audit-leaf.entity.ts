import { Column, Entity, PrimaryColumn } from 'typeorm';
import { TenantRow } from '../../../../platform/database/tenant-row.js';

/** Leaves of a tile that is not full yet, as many as one transaction has added. */
@Entity('audit_leaves')
export class AuditLeafEntity extends TenantRow {
  /** Of the first one. */
  @PrimaryColumn('bigint')
  sequence!: number;

  /** One after another. */
  @Column('bytea')
  hashes!: Buffer;

  @Column('bytea')
  salts!: Buffer;
}
