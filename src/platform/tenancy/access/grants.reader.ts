import { Injectable } from '@nestjs/common';
import { byKey } from '../../database/paging/by-key.js';
import { type Permission } from '../../../common/vocabulary/permissions.js';
import { SqlParameters } from '../../database/sql-parameters.js';
import { type RunQuery } from '../../database/transactions/tenant-context.js';
import { type TenantTransaction } from '../../database/transactions/tenant-transaction.js';
import { UnitOfWork } from '../../database/transactions/unit-of-work.js';
import { type GrantLevel } from './access-grant.entity.js';
import { type Caller } from './caller.js';
import { anyGrant, grantedFiles, notConfidentialToOthers } from './visibility.js';

/** Permissions that a Write grant gives for the documents of its file. */
const WRITE_GRANT_PERMISSIONS: readonly Permission[] = ['documents.update', 'documents.file'];

/**
 * Checks a caller's grants in the database, without a cache. With the `query` of an open transaction, a check runs
 * inside it: it sees the same data and needs no second connection.
 */
@Injectable()
export class GrantsReader {
  constructor(private readonly uow: UnitOfWork) {}

  holdsAny(caller: Caller, level: GrantLevel, query?: RunQuery): Promise<boolean> {
    const values = new SqlParameters();
    return this.check(caller, anyGrant(caller, values.bind, level), values, query);
  }

  coversFile(caller: Caller, fileId: string, level: GrantLevel, query?: RunQuery): Promise<boolean> {
    const values = new SqlParameters(caller.tenantId, fileId);
    const covered = grantedFiles(caller, 'f', values.bind, level);
    return this.check(
      caller,
      `EXISTS (SELECT FROM files f WHERE f.tenant_id = $1 AND f.id = $2 AND ${covered})`,
      values,
      query,
    );
  }

  /**
   * Whether a grant covers a file of the document. False for a document that is confidential to others: otherwise the
   * status (404 instead of 403) would reveal to members with a grant on the file that the document exists.
   */
  coversDocument(caller: Caller, documentId: string, level: GrantLevel, query?: RunQuery): Promise<boolean> {
    const values = new SqlParameters(caller.tenantId, [documentId]);
    return this.check(caller, `EXISTS (${coveredDocuments(caller, level, values)})`, values, query);
  }

  /** Ids of the documents for which {@link coversDocument} is true, as the transaction sees them. */
  async coveredAmong(
    tx: TenantTransaction,
    caller: Caller,
    documentIds: readonly string[],
    level: GrantLevel,
  ): Promise<Set<string>> {
    const values = new SqlParameters(caller.tenantId, documentIds);
    const rows = await tx.query<{ id: string }>(coveredDocuments(caller, level, values), values.list);
    return new Set(rows.map(({ id }) => id));
  }

  /** The role gives the permission, or a Write grant on one of the document's files. */
  async hasPermissionFor(
    caller: Caller,
    permission: Permission,
    documentId: string,
    query?: RunQuery,
  ): Promise<boolean> {
    if (caller.has(permission)) return true;
    return (
      WRITE_GRANT_PERMISSIONS.includes(permission) && this.coversDocument(caller, documentId, 'Write', query)
    );
  }

  /** Whether the caller created the document, and it is not confidential to others. */
  isCreator(caller: Caller, documentId: string, query?: RunQuery): Promise<boolean> {
    const values = new SqlParameters(caller.tenantId, documentId, caller.user.id);
    const open = notConfidentialToOthers(caller, 'd', values.bind);
    return this.check(
      caller,
      `EXISTS (SELECT FROM documents d WHERE d.tenant_id = $1 AND d.id = $2 AND d.created_by = $3 AND ${open})`,
      values,
      query,
    );
  }

  /** Whether the document is confidential and the caller is on its list. */
  isListed(caller: Caller, documentId: string, query?: RunQuery): Promise<boolean> {
    return this.check(
      caller,
      `EXISTS (SELECT FROM document_confidential_users c JOIN documents d ON d.tenant_id = c.tenant_id AND d.id = c.document_id
                WHERE c.tenant_id = $1 AND d.tenant_id = $1 AND c.document_id = $2 AND c.user_id = $3 AND d.is_confidential)`,
      new SqlParameters(caller.tenantId, documentId, caller.user.id),
      query,
    );
  }

  private async check(
    caller: Caller,
    condition: string,
    { list }: SqlParameters,
    query?: RunQuery,
  ): Promise<boolean> {
    const text = `SELECT ${condition} AS yes`;
    const [row] = query
      ? await query<{ yes: boolean }>(text, list)
      : // Without an access version, because the callers compare it themselves.
        await this.uow.read(withoutAccessVersion(caller), (tx) => tx.query<{ yes: boolean }>(text, list));
    return row?.yes === true;
  }
}

/** SQL of the documents with the ids `$2` that are in a covered file and not confidential to others. */
function coveredDocuments(caller: Caller, level: GrantLevel, { bind }: SqlParameters): string {
  return `SELECT d.id FROM documents d
           WHERE d.tenant_id = $1 AND d.id = ANY ($2::uuid[]) AND ${notConfidentialToOthers(caller, 'd', bind)}
             AND EXISTS (SELECT FROM document_files df
                          ${byKey('files', 'f', 'df.file_id')}
                          WHERE df.tenant_id = $1 AND df.document_id = d.id
                            AND ${grantedFiles(caller, 'f', bind, level)} OFFSET 0)`;
}

function withoutAccessVersion({ tenantId, actorId, actorName }: Caller) {
  return { tenantId, actorId, actorName, accessVersion: null };
}
