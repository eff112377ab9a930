import { Injectable } from '@nestjs/common';
import { SqlParameters } from '../../../platform/database/sql-parameters.js';
import { type TenantTransaction } from '../../../platform/database/transactions/tenant-transaction.js';
import { type Caller } from '../../../platform/tenancy/access/caller.js';
import { readableDocuments } from '../../../platform/tenancy/access/visibility.js';
import { type FieldView } from '../../document-types/document-types.reader.js';
import { FilesReader } from '../../files/files.reader.js';

type Target = NonNullable<FieldView['referenceTarget']>;

/**
 * The possible targets of a Reference: files and documents that are visible to the caller, and members.
 * Callers without `members.read` can only refer to themselves; otherwise a guest could find out who is a
 * member.
 */
@Injectable()
export class ReferenceTargetsRepository {
  constructor(private readonly files: FilesReader) {}

  async visible(
    tx: TenantTransaction,
    caller: Caller,
    target: Target,
    ids: readonly string[],
  ): Promise<Set<string>> {
    if (ids.length === 0) return new Set();
    switch (target) {
      case 'File':
        return this.files.findVisibleIds(tx, caller, ids);
      case 'Document':
        return this.documents(tx, caller, ids);
      case 'User':
        return this.members(tx, caller, ids);
    }
  }

  private async documents(
    tx: TenantTransaction,
    caller: Caller,
    ids: readonly string[],
  ): Promise<Set<string>> {
    const values = new SqlParameters(tx.tenantId, ids);
    const rows = await tx.query<{ id: string }>(
      `SELECT d.id FROM documents d
        WHERE d.tenant_id = $1 AND d.id = ANY ($2::uuid[]) AND ${readableDocuments(caller, 'd', values.bind)}`,
      values.list,
    );
    return new Set(rows.map(({ id }) => id));
  }

  private async members(tx: TenantTransaction, caller: Caller, ids: readonly string[]): Promise<Set<string>> {
    const allowedIds = caller.has('members.read') ? ids : ids.filter((id) => id === caller.user.id);
    const rows = await tx.query<{ id: string }>(
      'SELECT m.user_id AS id FROM members m WHERE m.tenant_id = $1 AND m.user_id = ANY ($2::uuid[])',
      [tx.tenantId, allowedIds],
    );
    return new Set(rows.map(({ id }) => id));
  }
}
