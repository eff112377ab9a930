import { Injectable } from '@nestjs/common';
import { byKey, userByKey } from '../../../platform/database/paging/by-key.js';
import { orNotFound } from '../../../common/problem.js';
import { type Position } from '../../../platform/database/paging/cursor-codec.js';
import { type Bind, SqlParameters } from '../../../platform/database/sql-parameters.js';
import { type TenantTransaction } from '../../../platform/database/transactions/tenant-transaction.js';
import { type Caller } from '../../../platform/tenancy/access/caller.js';
import { binCondition, visibleDocuments } from '../../../platform/tenancy/access/visibility.js';
import {
  MEMBER_DISPLAY_NAME,
  MEMBER_EMAIL,
  MEMBER_NAME,
} from '../../../platform/tenancy/users/member-names.js';
import { type DocumentEntity } from '../document.entity.js';
import {
  type ConfidentialDocumentResponse,
  type ConfidentialUserResponse,
} from './confidential-access.dto.js';

/** The title goes into the audit log, which shows it only to users on the list. */
export type LockedDocument = Pick<DocumentEntity, 'id' | 'title' | 'status' | 'isConfidential'>;

/**
 * SQL condition on a row `d` of `documents`: the caller may use the access list. That is, the document is
 * visible to the caller, or it is confidential and the caller may manage all access lists.
 */
function manageableDocuments(caller: Caller, bind: Bind): string {
  const visible = visibleDocuments(caller, 'd', bind);
  return caller.has('documents.confidential.manage') ? `(d.is_confidential OR ${visible})` : visible;
}

/**
 * Confidential documents and their access lists, for the operations on lists. {@link
 * ConfidentialUsersRepository} changes the lists.
 */
@Injectable()
export class ConfidentialAccessRepository {
  /**
   * Locks the document and its access list until the commit. Throws 404 if the caller may not use the list.
   * Reads in a second statement: a single one that waited for the lock would return the state from before the
   * wait.
   */
  async lockDocument(tx: TenantTransaction, caller: Caller, documentId: string): Promise<LockedDocument> {
    const values = new SqlParameters(tx.tenantId, documentId);
    const [, [document]] = await tx.queryAll<[object, LockedDocument]>([
      {
        text: 'SELECT FROM documents d WHERE d.tenant_id = $1 AND d.id = $2 FOR NO KEY UPDATE',
        values: [tx.tenantId, documentId],
      },
      {
        text: `SELECT d.id, d.title, d.status, d.is_confidential AS "isConfidential"
                 FROM documents d WHERE d.tenant_id = $1 AND d.id = $2 AND ${manageableDocuments(caller, values.bind)}`,
        values: values.list,
      },
    ]);
    return orNotFound(document);
  }

  /**
   * Locks the membership until the commit and returns the name of the member; null if the user is not a
   * member.
   */
  async lockMemberOrNull(tx: TenantTransaction, userId: string): Promise<string | null> {
    const [member] = await tx.query<{ name: string }>(
      `SELECT ${MEMBER_NAME} AS name
         FROM members m JOIN users u ON u.id = m.user_id
        WHERE m.tenant_id = $1 AND m.user_id = $2 FOR KEY SHARE OF m`,
      [tx.tenantId, userId],
    );
    return member?.name ?? null;
  }

  /**
   * Returns the users on the list, last added first, and one row more than `limit`. Empty if the document is
   * not confidential; null if the caller may not use the list. One statement answers both, to save a round
   * trip.
   */
  async listUsers(
    tx: TenantTransaction,
    caller: Caller,
    documentId: string,
    after: Position | null,
    limit: number,
  ): Promise<ConfidentialUserResponse[] | null> {
    const values = new SqlParameters(tx.tenantId, documentId);
    const { bind } = values;
    const afterPosition = after
      ? `AND (c.created_at, c.user_id) < (${bind(after[0])}::timestamptz, ${bind(after[1])}::uuid)`
      : '';
    const rows = await tx.query<ConfidentialUserResponse | { userId: null }>(
      `SELECT page.* FROM documents d LEFT JOIN (
         SELECT c.user_id AS "userId", ${MEMBER_DISPLAY_NAME} AS "displayName", ${MEMBER_EMAIL} AS email,
                c.created_at AS "addedAt"
           FROM document_confidential_users c
          ${byKey('members', 'm', 'c.user_id', { column: 'user_id' })}
          ${userByKey('c.user_id')}
          WHERE c.tenant_id = $1 AND c.document_id = $2 ${afterPosition}
          ORDER BY c.created_at DESC, c.user_id DESC LIMIT ${bind(limit + 1)}
       ) page ON d.is_confidential
        WHERE d.tenant_id = $1 AND d.id = $2 AND ${manageableDocuments(caller, bind)} AND ${binCondition(caller, 'd')}
        ORDER BY page."addedAt" DESC, page."userId" DESC`,
      values.list,
    );
    if (rows.length === 0) return null;
    return rows.filter((row): row is ConfidentialUserResponse => row.userId !== null);
  }

  /** Newest first, without documents in the bin. */
  listDocuments(
    tx: TenantTransaction,
    after: Position | null,
    limit: number,
  ): Promise<ConfidentialDocumentResponse[]> {
    const afterPosition = after ? 'AND (d.created_at, d.id) < ($3::timestamptz, $4::uuid)' : '';
    return tx.query<ConfidentialDocumentResponse>(
      `SELECT d.id, d.created_at AS "createdAt",
              (SELECT count(*)::int FROM document_confidential_users c
                WHERE c.tenant_id = $1 AND c.document_id = d.id) AS "userCount"
         FROM documents d
        WHERE d.tenant_id = $1 AND d.is_confidential AND d.status <> 'Deleted' ${afterPosition}
        ORDER BY d.created_at DESC, d.id DESC LIMIT $2`,
      [tx.tenantId, limit + 1, ...(after ?? [])],
    );
  }
}
