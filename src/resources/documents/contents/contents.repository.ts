import { Injectable } from '@nestjs/common';
import { type TenantTransaction } from '../../../platform/database/transactions/tenant-transaction.js';

/** Contents that lost their last version since this are left alone by the sweep. */
const GRACE = `interval '1 day'`;

/** The rows that stand for kept bytes; see {@link ContentEntity}. */
@Injectable()
export class ContentsRepository {
  /** Takes the content's row, new or not, and holds it until the commit: the sweep waits for us, or we for it. */
  async claim(tx: TenantTransaction, sha256: string, size: number): Promise<void> {
    await tx.query(
      `INSERT INTO contents AS c (tenant_id, sha256, size) VALUES ($1, $2, $3)
       ON CONFLICT (tenant_id, sha256) DO UPDATE SET linked_at = now(), size = excluded.size`,
      [tx.tenantId, sha256, size],
    );
  }

  /**
   * Says of all contents that the documents, locked by now, have or have had that they were let go now, for removing
   * these documents: the day of those that nobody else has begins. The rows are locked one after the other in one
   * order, and held until the commit.
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
   * Which of these to leave alone: those of any version of a document, and those that lost their last a short while ago.
   * Of a tenant that this database does not know, all: they may well be another database's.
   */
  async referenced(tx: TenantTransaction, sha256s: readonly string[]): Promise<Set<string>> {
    const rows = await tx.query<{ sha256: string }>(
      `SELECT s.sha256 FROM unnest($2::text[]) AS s (sha256)
        WHERE NOT EXISTS (SELECT FROM tenants t WHERE t.id = $1)
           OR EXISTS (SELECT FROM document_versions v WHERE v.tenant_id = $1 AND v.content_sha256 = s.sha256)
           OR EXISTS (SELECT FROM contents c
                       WHERE c.tenant_id = $1 AND c.sha256 = s.sha256 AND c.linked_at > now() - ${GRACE})`,
      [tx.tenantId, sha256s],
    );
    return new Set(rows.map(({ sha256 }) => sha256));
  }

  /**
   * Takes the content's row, made if there is none, so that an upload of these bytes has to wait, and says whether
   * the content may go: looked up anew once the row is ours.
   */
  async lockUnreferenced(tx: TenantTransaction, sha256: string): Promise<boolean> {
    await tx.query(
      `INSERT INTO contents (tenant_id, sha256, size, linked_at) VALUES ($1, $2, 0, to_timestamp(0))
       ON CONFLICT (tenant_id, sha256) DO NOTHING`,
      [tx.tenantId, sha256],
    );
    await tx.query('SELECT FROM contents c WHERE c.tenant_id = $1 AND c.sha256 = $2 FOR UPDATE', [
      tx.tenantId,
      sha256,
    ]);
    return !(await this.referenced(tx, [sha256])).has(sha256);
  }

  async delete(tx: TenantTransaction, sha256: string): Promise<void> {
    await tx.query('DELETE FROM contents WHERE tenant_id = $1 AND sha256 = $2', [tx.tenantId, sha256]);
  }
}
