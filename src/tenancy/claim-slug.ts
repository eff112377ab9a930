import { Problem } from '../common/problem.js';
import { type WriteTransaction } from '../database/tenant-transaction.js';

/**
 * Makes the slug, which is of available form, the current one of the transaction's tenant, which must have no other
 * current one. The primary key decides who gets it: of several claims at once the later ones wait for the first, and
 * then find it taken. Free are a slug that nobody has, a former one that has run out, and a former one of the tenant's
 * own. `tenant.slug-unavailable` otherwise.
 */
export async function claimSlug(tx: WriteTransaction, slug: string): Promise<void> {
  const claimed = await tx.query(
    `INSERT INTO tenant_slugs AS s (slug, tenant_id) VALUES ($1, $2)
     ON CONFLICT (slug) DO UPDATE SET tenant_id = excluded.tenant_id, created_at = now(), expires_at = NULL
       WHERE s.expires_at <= now() OR (s.expires_at IS NOT NULL AND s.tenant_id = excluded.tenant_id)
     RETURNING slug`,
    [slug, tx.tenantId],
  );
  if (claimed.length === 0) throw new Problem('tenant.slug-unavailable');
}
