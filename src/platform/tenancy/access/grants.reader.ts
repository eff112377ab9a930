import { Injectable } from '@nestjs/common';
import { type Permission } from '../../../common/vocabulary/permissions.js';
import { SqlParameters } from '../../database/sql-parameters.js';
import { type RunQuery } from '../../database/transactions/tenant-context.js';
import { type TenantTransaction } from '../../database/transactions/tenant-transaction.js';
import { UnitOfWork } from '../../database/transactions/unit-of-work.js';
import { type GrantLevel } from './access-grant.entity.js';
import { type Caller } from './caller.js';
import { anyGrant, grantedFiles, notConfidentialToOthers } from './visibility.js';

/** What a Write grant lets somebody do with the documents of its file. */
const WRITE_GRANT_PERMISSIONS: readonly Permission[] = ['documents.update', 'documents.file'];

/**
 * What the grants of a caller cover right now, asked of the database each time: by itself, or with the `query` of a
 * transaction that is under way, which then sees the same and waits for no second connection.
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
   * Whether a file that holds the document is covered. A document that is confidential to others is not: otherwise
   * 404 in place of 403 would tell whoever has a grant on the file that it is there.
   */
  coversDocument(caller: Caller, documentId: string, level: GrantLevel, query?: RunQuery): Promise<boolean> {
    const values = new SqlParameters(caller.tenantId, [documentId]);
    return this.check(caller, `EXISTS (${coveredDocuments(caller, level, values)})`, values, query);
  }

  /** Those of the documents that {@link coversDocument} holds for, as the transaction sees them. */
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

  /** Whether the caller may do this with the very document: by the role, or by a Write grant on a file with it. */
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

  /** Whether the caller made the document, and it is not confidential to others now. */
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

  /** Whether the caller stands on the document's confidentiality list. */
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
      ? await query<Answer>(text, list)
      : // Rights that have just changed are not this question's business: whoever asks compares versions already.
        await this.uow.read(withoutAccessVersion(caller), (tx) => tx.query<Answer>(text, list));
    return row?.yes === true;
  }
}

interface Answer {
  yes: boolean;
}

/** Of the documents whose ids are `$2`, those that are in a covered file and not confidential to others. */
function coveredDocuments(caller: Caller, level: GrantLevel, { bind }: SqlParameters): string {
  return `SELECT d.id FROM documents d
           WHERE d.tenant_id = $1 AND d.id = ANY ($2::uuid[]) AND ${notConfidentialToOthers(caller, 'd', bind)}
             AND EXISTS (SELECT FROM document_files df
                           JOIN files f ON f.tenant_id = df.tenant_id AND f.id = df.file_id
                          WHERE df.tenant_id = $1 AND f.tenant_id = $1 AND df.document_id = d.id
                            AND ${grantedFiles(caller, 'f', bind, level)})`;
}

function withoutAccessVersion({ tenantId, actorId, actorName }: Caller) {
  return { tenantId, actorId, actorName, accessVersion: null };
}
