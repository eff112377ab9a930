import { Injectable } from '@nestjs/common';
import { type TenantTransaction } from '../../../platform/database/transactions/tenant-transaction.js';
import { heldDocument } from '../../holds/held.reader.js';
import { type DocumentEntity } from '../document.entity.js';

export type PurgedDocument = Pick<DocumentEntity, 'id' | 'title' | 'isConfidential'>;

/** The document has been in the bin for `$2` days, by the database clock (like `deleted_at`). */
const DUE = `d.tenant_id = $1 AND d.status = 'Deleted' AND d.deleted_at <= now() - make_interval(days => $2)`;

/** Documents whose retention time in the bin is over. */
@Injectable()
export class BinRepository {
  /**
   * Locks due documents that are not held, longest in the bin first, so that they cannot be restored until the commit.
   * Skips documents that another transaction has locked, for example to restore them; the next run handles these. A hold
   * may be placed on one of their files meanwhile: ask again once the files are locked.
   */
  lockDue(tx: TenantTransaction, days: number, limit: number): Promise<PurgedDocument[]> {
    return tx.query<PurgedDocument>(
      `SELECT d.id, d.title, d.is_confidential AS "isConfidential" FROM documents d
        WHERE ${DUE} AND NOT ${heldDocument('d.id')} ORDER BY d.deleted_at, d.id LIMIT $3 FOR UPDATE SKIP LOCKED`,
      [tx.tenantId, days, limit],
    );
  }

  /** The foreign keys delete links, values, versions, texts and access lists. */
  async remove(tx: TenantTransaction, ids: readonly string[]): Promise<void> {
    await tx.query('DELETE FROM documents d WHERE d.tenant_id = $1 AND d.id = ANY ($2::uuid[])', [
      tx.tenantId,
      ids,
    ]);
  }
}
