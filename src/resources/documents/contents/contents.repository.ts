import { Injectable } from '@nestjs/common';
import { type TenantTransaction } from '../../../platform/database/transactions/tenant-transaction.js';

/** Unused contents are kept this long after their last use. */
const GRACE = '1 day';

@Injectable()
export class ContentsRepository {
  /**
   * Creates or updates the row of the content and locks it until the commit. The sweep waits for this lock,
   * or this call waits for the sweep.
   */
  async claim(tx: TenantTransaction, sha256: string, size: number): Promise<void> {
    await tx.query(
      `INSERT INTO contents AS c (tenant_id, sha256, size) VALUES ($1, $2, $3)
       ON CONFLICT (tenant_id, sha256) DO UPDATE SET linked_at = excluded.linked_at, size = excluded.size`,
      [tx.tenantId, sha256, size],
    );
  }

  /**
   * Sets the last use of all contents of the documents (locked) to now, because these documents are about to
   * be deleted. The sweep removes contents without other documents a day later. Locks the rows in a fixed
   * order until the commit.
   */
  async release(tx: TenantTransaction, documentIds: readonly string[]): Promise<void> {
    await tx.query(
      `WITH released AS (
         SELECT c.sha256 FROM contents c
          WHERE c.tenant_id = $1 AND c.sha256 IN (
            SELECT v.content_sha256 FROM document_versions v WHERE v.tenant_id = $1 AND v.document_id = ANY ($2::uuid[]))
          ORDER BY c.sha256 FOR NO KEY UPDATE
       )
       UPDATE contents c SET linked_at = now() FROM released r WHERE c.tenant_id = $1 AND c.sha256 = r.sha256`,
      [tx.tenantId, documentIds],
    );
  }

  /**
   * Returns which of the contents must be kept: those of any document version or export, and those that lost their last
   * version within the grace period. Keeps all contents of an unknown tenant, because they may belong to another
   * database.
   */
  async referenced(tx: TenantTransaction, sha256s: readonly string[], grace = GRACE): Promise<Set<string>> {
    const rows = await tx.query<{ sha256: string }>(
      `SELECT s.sha256 FROM unnest($2::text[]) AS s (sha256)
        WHERE NOT EXISTS (SELECT FROM tenants t WHERE t.id = $1)
           OR EXISTS (SELECT FROM document_versions v WHERE v.tenant_id = $1 AND v.content_sha256 = s.sha256)
           OR EXISTS (SELECT FROM exports x WHERE x.tenant_id = $1 AND x.content_sha256 = s.sha256)
           OR EXISTS (SELECT FROM contents c
                       WHERE c.tenant_id = $1 AND c.sha256 = s.sha256 AND c.linked_at > now() - $3::interval)`,
      [tx.tenantId, sha256s, grace],
    );
    return new Set(rows.map(({ sha256 }) => sha256));
  }

  /**
   * Locks the row of the content, after creating it if necessary, so that uploads of the same bytes wait.
   * Returns whether the content may be removed, checked after the lock.
   */
  async lockUnreferenced(tx: TenantTransaction, sha256: string, grace = GRACE): Promise<boolean> {
    await tx.query(
      `INSERT INTO contents (tenant_id, sha256, size, linked_at) VALUES ($1, $2, 0, to_timestamp(0))
       ON CONFLICT (tenant_id, sha256) DO NOTHING`,
      [tx.tenantId, sha256],
    );
    await tx.query('SELECT FROM contents c WHERE c.tenant_id = $1 AND c.sha256 = $2 FOR UPDATE', [
      tx.tenantId,
      sha256,
    ]);
    return !(await this.referenced(tx, [sha256], grace)).has(sha256);
  }

  async delete(tx: TenantTransaction, sha256: string): Promise<void> {
    await tx.query('DELETE FROM contents WHERE tenant_id = $1 AND sha256 = $2', [tx.tenantId, sha256]);
  }
}
