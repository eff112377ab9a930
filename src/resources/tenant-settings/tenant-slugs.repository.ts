import { Injectable } from '@nestjs/common';
import { type WriteTransaction } from '../../platform/database/transactions/tenant-transaction.js';
import { TenantsRepository } from '../../platform/tenancy/tenants/tenants.repository.js';

/** How long, and how many of them, former slugs go on leading to their tenant. */
const FORMER_DAYS = 90;
const FORMER_SLUGS = 3;

/** The slugs of the transaction's tenant; to be used after `startAccessChange`, which makes changes take turns. */
@Injectable()
export class TenantSlugsRepository {
  constructor(private readonly tenants: TenantsRepository) {}

  async current(tx: WriteTransaction): Promise<string> {
    const [row] = await tx.query<{ slug: string }>(
      'SELECT slug FROM tenant_slugs WHERE tenant_id = $1 AND expires_at IS NULL',
      [tx.tenantId],
    );
    if (!row) throw new Error('The tenant has no slug');
    return row.slug;
  }

  /**
   * Takes the slug, or throws `tenant.slug-unavailable`; the one until now becomes a former one. By the clock, as
   * transactions that waited for their turn may have begun in another order.
   */
  async change(tx: WriteTransaction, slug: string): Promise<void> {
    await tx.query(
      `UPDATE tenant_slugs SET expires_at = clock_timestamp() + make_interval(days => $2)
        WHERE tenant_id = $1 AND expires_at IS NULL`,
      [tx.tenantId, FORMER_DAYS],
    );
    await this.tenants.claimSlug(tx, slug);
    await tx.query(
      `DELETE FROM tenant_slugs WHERE tenant_id = $1 AND expires_at IS NOT NULL AND slug NOT IN (
         SELECT slug FROM tenant_slugs WHERE tenant_id = $1 AND expires_at > now()
          ORDER BY expires_at DESC, created_at DESC LIMIT $2)`,
      [tx.tenantId, FORMER_SLUGS],
    );
  }
}
