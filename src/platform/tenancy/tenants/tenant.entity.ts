import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('tenants')
export class TenantEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('text')
  name!: string;

  /** Increased by every change of roles, members or grants. Cached rights have the version that they were read at. */
  @Column({ type: 'bigint', name: 'access_version' })
  accessVersion!: number;

  /** Release whose permissions the built-in roles have. Null for tenants that earlier releases created. */
  @Column({ type: 'text', name: 'built_in_roles', nullable: true })
  builtInRoles!: string | null;

  @Column({ type: 'integer', name: 'rate_limit_per_minute', nullable: true })
  rateLimitPerMinute!: number | null;

  @Column({ type: 'integer', name: 'rate_limit_burst', nullable: true })
  rateLimitBurst!: number | null;

  /** In bytes of content. Null for the configured limit. */
  @Column({ type: 'bigint', name: 'storage_limit', nullable: true })
  storageLimit!: number | null;

  /** Null unless the tenant is suspended. */
  @Column({ type: 'timestamptz', name: 'suspended_at', precision: 3, nullable: true })
  suspendedAt!: string | null;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt!: string;

  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3 })
  updatedAt!: string;
}
