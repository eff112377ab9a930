import { Column, Entity, PrimaryColumn } from 'typeorm';
import { TenantRow } from '../../../../platform/database/tenant-row.js';

/** Head of a tenant's Merkle tree, locked to add leaves. Not in `event_logs`, which the sequencer locks. */
@Entity('audit_trees')
export class AuditTreeEntity extends TenantRow {
  /** Number of leaves: those of the events with a lower sequence. */
  @Column('bigint')
  size!: number;

  /** The event log that the origin is for; null before the first checkpoint. */
  @Column({ type: 'uuid', name: 'log_id', nullable: true })
  logId!: string | null;

  /** First line of checkpoints, and name of the keys. */
  @Column({ type: 'text', nullable: true })
  origin!: string | null;

  /** Of the last daily checkpoint; -1 before the first one. */
  @Column({ type: 'bigint', name: 'checkpoint_size' })
  checkpointSize!: number;

  /** Time of the last daily checkpoint, or of the creation. */
  @Column({ type: 'timestamptz', name: 'checkpoint_at', precision: 3 })
  checkpointAt!: string;
}

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
