import { Injectable } from '@nestjs/common';
import { type TenantTransaction } from '../../../platform/database/transactions/tenant-transaction.js';
import { type DocumentEntity } from '../document.entity.js';

/** What remains to be told of a document that goes. */
type PurgedDocument = Pick<DocumentEntity, 'id' | 'title' | 'isConfidential'>;

/** In the bin for as many days as `$2`, by the clock that said since when. */
const DUE = `d.tenant_id = $1 AND d.status = 'Deleted' AND d.deleted_at <= now() - make_interval(days => $2)`;

/** Documents in the bin whose time is over. */
@Injectable()
export class BinRepository {
  async hasDue(tx: TenantTransaction, days: number): Promise<boolean> {
    const rows = await tx.query(`SELECT FROM documents d WHERE ${DUE} LIMIT 1`, [tx.tenantId, days]);
    return rows.length > 0;
  }

  /**
   * Some of them, longest in the bin first, which nobody restores until the commit. One that somebody is restoring, or
   * whatever else keeps it locked, is passed over: if it is still in the bin afterwards, it goes with the next run.
   */
  lockDue(tx: TenantTransaction, days: number, limit: number): Promise<PurgedDocument[]> {
    return tx.query<PurgedDocument>(
      `SELECT d.id, d.title, d.is_confidential AS "isConfidential" FROM documents d
        WHERE ${DUE} ORDER BY d.deleted_at, d.id LIMIT $3 FOR UPDATE SKIP LOCKED`,
      [tx.tenantId, days, limit],
    );
  }

  /** For good. What belongs to them (links, values, versions, texts, lists) goes with them by its foreign keys. */
  async remove(tx: TenantTransaction, ids: readonly string[]): Promise<void> {
    await tx.query('DELETE FROM documents d WHERE d.tenant_id = $1 AND d.id = ANY ($2::uuid[])', [
      tx.tenantId,
      ids,
    ]);
  }
}
