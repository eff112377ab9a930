import { Injectable } from '@nestjs/common';
import { SqlParameters } from '../../../platform/database/sql-parameters.js';
import { type TenantTransaction } from '../../../platform/database/transactions/tenant-transaction.js';
import { type Caller } from '../../../platform/tenancy/access/caller.js';
import { visibleDocuments } from '../../../platform/tenancy/access/visibility.js';
import { type DocumentEntity } from '../document.entity.js';

export type ChangingDocument = Pick<DocumentEntity, 'id' | 'title' | 'status' | 'createdBy'>;

/** The columns of the state that follows an action. */
const STATES = {
  Archive: `status = 'Archived'`,
  Unarchive: `status = 'Active'`,
  Delete: `status = 'Deleted', status_before_deletion = d.status, deleted_at = now()`,
  Restore: `status = d.status_before_deletion, status_before_deletion = NULL, deleted_at = NULL`,
} as const;
export type StateAction = keyof typeof STATES;

/** Changes any number of documents with the same number of statements. */
@Injectable()
export class DocumentChangesRepository {
  /**
   * Returns the documents with these ids that are visible to the caller, in no particular order. Locks all
   * existing ones until the commit, visible or not. Locks them in the order of their ids, so that two
   * transactions cannot deadlock. Reads in a second statement, as for one document (see {@link
   * DocumentsRepository.lockVisible}).
   */
  async lockVisible(
    tx: TenantTransaction,
    caller: Caller,
    ids: readonly string[],
  ): Promise<ChangingDocument[]> {
    const values = new SqlParameters(tx.tenantId, ids);
    const visible = visibleDocuments(caller, 'd', values.bind);
    const [, documents] = await tx.queryAll<[object, ChangingDocument]>([
      {
        text: `SELECT FROM documents d WHERE d.tenant_id = $1 AND d.id = ANY ($2::uuid[])
                ORDER BY d.id FOR NO KEY UPDATE`,
        values: [tx.tenantId, ids],
      },
      {
        text: `SELECT d.id, d.title, d.status, d.created_by AS "createdBy"
                 FROM documents d WHERE d.tenant_id = $1 AND d.id = ANY ($2::uuid[]) AND ${visible}`,
        values: values.list,
      },
    ]);
    return documents;
  }

  /**
   * Sets the state that follows the action. Without an action, updates only `updated_at`: needed after changes of links,
   * because the representation of a document includes them.
   */
  async update(tx: TenantTransaction, ids: readonly string[], action?: StateAction): Promise<void> {
    await tx.query(
      `UPDATE documents d SET ${action ? `${STATES[action]}, ` : ''}updated_at = now()
        WHERE d.tenant_id = $1 AND d.id = ANY ($2::uuid[])`,
      [tx.tenantId, ids],
    );
  }
}
