import { Column, Entity, PrimaryColumn } from 'typeorm';
import { TenantRow } from '../../../../platform/database/tenant-row.js';

/** A full subtree of 256^level leaves. */
@Entity('audit_tiles')
export class AuditTileEntity extends TenantRow {
  /** 1, 2 or 3. */
  @PrimaryColumn('smallint')
  level!: number;

  /** Place among the subtrees of the level. */
  @PrimaryColumn('bigint')
  number!: number;

  @Column('bytea')
  root!: Buffer;

  /** The hashes of the leaves, one after another; only for level 1. */
  @Column({ type: 'bytea', nullable: true })
  hashes!: Buffer | null;

  @Column({ type: 'bytea', nullable: true })
  salts!: Buffer | null;
}
