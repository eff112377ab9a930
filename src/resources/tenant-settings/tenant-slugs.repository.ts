import { Injectable } from '@nestjs/common';
import { type WriteTransaction } from '../../platform/database/transactions/tenant-transaction.js';
import { TenantsRepository } from '../../platform/tenancy/tenants/tenants.repository.js';

/** Days for which former slugs still refer to their tenant, and the maximum number of former slugs. */
const FORMER_DAYS = 90;
const FORMER_SLUGS = 3;

interface CurrentSlug {
  readonly slug: string;
  /** When the slug expires if the tenant gets another one now. */
  readonly expiresAt: string;
}

/**
 * The slugs of the transaction's tenant. Call `startAccessChange` first: it makes concurrent changes wait for each
 * other.
 */
@Injectable()
export class TenantSlugsRepository {
  constructor(private readonly tenants: TenantsRepository) {}

  /**
   * Uses `clock_timestamp()`, because transactions that waited for the lock may have started in another order. Citus
   * refuses this function in an UPDATE.
   */
  async current(tx: WriteTransaction): Promise<CurrentSlug> {
    const [row] = await tx.query<CurrentSlug>(
      `SELECT slug, (clock_timestamp() + make_interval(days => $2))::timestamptz(3) AS "expiresAt"
         FROM tenant_slugs WHERE tenant_id = $1 AND expires_at IS NULL`,
      [tx.tenantId, FORMER_DAYS],
    );
    if (!row) throw new Error('The tenant has no slug');
    return row;
  }

  /** Makes the slug the current one, or throws `tenant.slug-unavailable`. The previous one becomes a former slug. */
  async change(tx: WriteTransaction, { expiresAt }: CurrentSlug, slug: string): Promise<void> {
    await tx.queryAll([
      ...tx.layout.lockReferenceTables,
      {
        text: 'UPDATE tenant_slugs SET expires_at = $2 WHERE tenant_id = $1 AND expires_at IS NULL',
        values: [tx.tenantId, expiresAt],
      },
    ]);
    await this.tenants.claimSlug(tx, slug);
    await tx.query(
      `DELETE FROM tenant_slugs WHERE tenant_id = $1 AND expires_at IS NOT NULL AND slug NOT IN (
         SELECT slug FROM tenant_slugs WHERE tenant_id = $1 AND expires_at > now()
          ORDER BY expires_at DESC, created_at DESC LIMIT $2)`,
      [tx.tenantId, FORMER_SLUGS],
    );
  }
}
