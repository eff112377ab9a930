import { Injectable } from '@nestjs/common';
import { type TenantTransaction } from '../../../platform/database/transactions/tenant-transaction.js';

/**
 * The access lists of confidential documents. Each change of a list holds the lock of its document, so changes of one
 * list happen one after the other. The only exception is the end of a membership (tenancy/access-revocation), which
 * locks only the rows. Lock order: document, member, list rows.
 */
@Injectable()
export class ConfidentialUsersRepository {
  /** Locks the rows of the list until the commit, also against the end of a membership. Returns the user ids. */
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
       SELECT d.tenant_id, d.id, $3::uuid, d.created_at FROM documents d WHERE d.tenant_id = $1 AND d.id = $2`,
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
