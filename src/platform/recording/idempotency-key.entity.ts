import { Column, Entity, PrimaryColumn } from 'typeorm';
import { TenantRow } from '../database/tenant-row.js';

/** A request with an Idempotency-Key, and its stored answer (see UnitOfWork.write). */
@Entity('idempotency_keys')
export class IdempotencyKeyEntity extends TenantRow {
  @PrimaryColumn({ type: 'uuid', name: 'user_id' })
  userId!: string;

  @PrimaryColumn('text')
  operation!: string;

  @PrimaryColumn('text')
  key!: string;

  /** Hash of the request. */
  @Column('text')
  fingerprint!: string;

  /** The answer as JSON; null while the request is in progress. */
  @Column({ type: 'text', nullable: true })
  body!: string | null;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt!: string;
}
