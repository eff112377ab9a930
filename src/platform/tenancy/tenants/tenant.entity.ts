import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('tenants')
export class TenantEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('text')
  name!: string;

  /** Raised by every change to who may do what in the tenant; remembered rights carry it. */
  @Column({ type: 'bigint', name: 'access_version' })
  accessVersion!: number;

  @Column({ type: 'integer', name: 'rate_limit_per_minute', nullable: true })
  rateLimitPerMinute!: number | null;

  @Column({ type: 'integer', name: 'rate_limit_burst', nullable: true })
  rateLimitBurst!: number | null;

  /** In bytes of content. */
  @Column({ type: 'bigint', name: 'storage_limit', nullable: true })
  storageLimit!: number | null;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt!: string;

  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3 })
  updatedAt!: string;
}
