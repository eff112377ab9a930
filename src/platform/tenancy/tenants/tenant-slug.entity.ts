import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The current slug of a tenant, or a former one that has an expiry. */
@Entity('tenant_slugs')
export class TenantSlugEntity {
  @PrimaryColumn('text')
  slug!: string;

  @Column({ type: 'uuid', name: 'tenant_id' })
  tenantId!: string;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt!: string;

  /** Null for the current slug. */
  @Column({ type: 'timestamptz', name: 'expires_at', precision: 3, nullable: true })
  expiresAt!: string | null;
}
