import { Problem } from '../../../common/problem.js';
import { type WriteTransaction } from '../../database/transactions/tenant-transaction.js';

/**
 * Makes the slug, which is of available form, the current one of the transaction's tenant, which must have no other
 * current one. The primary key decides who gets it: of several claims at once the later ones wait for the first, and
 * then find it taken. Free are a slug that nobody has, a former one that has run out, and a former one of the tenant's
 * own. `tenant.slug-unavailable` otherwise.
 */
export async function claimSlug(tx: WriteTransaction, slug: string): Promise<void> {
  const values = [slug, tx.tenantId];
  const inserted = await tx.query(
    'INSERT INTO tenant_slugs (slug, tenant_id) VALUES ($1, $2) ON CONFLICT (slug) DO NOTHING RETURNING slug',
    values,
  );
  if (inserted.length > 0) return;
  // Not as ON CONFLICT DO UPDATE: up to PostgreSQL 17 that fails at the row level security of somebody else's row
  // before its WHERE is asked, where an UPDATE passes such a row by.
  const taken = await tx.query(
    `UPDATE tenant_slugs SET tenant_id = $2, created_at = now(), expires_at = NULL
      WHERE slug = $1 AND (expires_at <= now() OR (expires_at IS NOT NULL AND tenant_id = $2))
      RETURNING slug`,
    values,
  );
  if (taken.length === 0) throw new Problem('tenant.slug-unavailable');
}
