import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A slug that leads to a tenant: its current one, or a former one until that runs out. */
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
