import { Injectable } from '@nestjs/common';
import { type TenantTransaction } from '../../../platform/database/transactions/tenant-transaction.js';

/**
 * The lists of who sees confidential documents. Whoever changes one holds the lock of its document, so that changes
 * of one list wait for each other; only the end of a membership takes places away without it (tenancy/access-revocation)
 * and meets the others at the rows. Locks are taken in the order document, member, places.
 */
@Injectable()
export class ConfidentialUsersRepository {
  /** Who is on the list; nobody leaves it until the commit, by leaving the tenant neither. */
  async lock(tx: TenantTransaction, documentId: string): Promise<string[]> {
    const users = await tx.query<{ userId: string }>(
      `SELECT c.user_id AS "userId" FROM document_confidential_users c
        WHERE c.tenant_id = $1 AND c.document_id = $2 ORDER BY c.user_id FOR UPDATE`,
      [tx.tenantId, documentId],
    );
    return users.map(({ userId }) => userId);
  }

  async add(tx: TenantTransaction, documentId: string, userId: string): Promise<void> {
    await tx.query(
      `INSERT INTO document_confidential_users (tenant_id, document_id, user_id, document_created_at)
       SELECT $1, d.id, $3, d.created_at FROM documents d WHERE d.tenant_id = $1 AND d.id = $2`,
      [tx.tenantId, documentId, userId],
    );
  }

  async remove(tx: TenantTransaction, documentId: string, userId: string): Promise<void> {
    await tx.query(
      'DELETE FROM document_confidential_users WHERE tenant_id = $1 AND document_id = $2 AND user_id = $3',
      [tx.tenantId, documentId, userId],
    );
  }

  async removeAll(tx: TenantTransaction, documentId: string): Promise<void> {
    await tx.query('DELETE FROM document_confidential_users WHERE tenant_id = $1 AND document_id = $2', [
      tx.tenantId,
      documentId,
    ]);
  }
}
