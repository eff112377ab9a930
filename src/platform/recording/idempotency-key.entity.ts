import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A request under an Idempotency-Key, with its answer once there is one (see UnitOfWork.write). */
@Entity('idempotency_keys')
export class IdempotencyKeyEntity {
  @PrimaryColumn({ type: 'uuid', name: 'tenant_id' })
  tenantId!: string;

  @PrimaryColumn({ type: 'uuid', name: 'user_id' })
  userId!: string;

  @PrimaryColumn('text')
  operation!: string;

  @PrimaryColumn('text')
  key!: string;

  /** Hash of all that makes the request what it is. */
  @Column('text')
  fingerprint!: string;

  /** The answer as JSON; null while the request is running. */
  @Column({ type: 'text', nullable: true })
  body!: string | null;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt!: string;
}
