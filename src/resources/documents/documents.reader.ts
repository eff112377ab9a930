import { Injectable } from '@nestjs/common';
import { type Bind, SqlParameters } from '../../platform/database/sql-parameters.js';
import { type TenantTransaction } from '../../platform/database/transactions/tenant-transaction.js';
import { type Caller } from '../../platform/tenancy/access/caller.js';
import { readableDocuments, visibleFiles } from '../../platform/tenancy/access/visibility.js';
import { type DocumentResponse, presentDocument } from './document-response.dto.js';
import { DocumentsRepository } from './documents.repository.js';

export { type DocumentResponse };

/** A choice of documents. */
export type DocumentScope =
  | { readonly fileIds: readonly string[] }
  | { readonly documentIds: readonly string[] }
  | { readonly fileTypeId: string }
  | { readonly all: true };

export interface ScopeSize {
  readonly documents: number;
  /** Versions of the documents. */
  readonly contents: number;
  /** Of all contents. */
  readonly bytes: number;
}

/** Documents that a caller can see, without those in the bin. */
@Injectable()
export class DocumentsReader {
  constructor(private readonly documents: DocumentsRepository) {}

  async find(tx: TenantTransaction, caller: Caller, id: string): Promise<DocumentResponse | null> {
    const found = await this.documents.findReadable(tx, caller, id);
    return found && found.status !== 'Deleted' ? presentDocument(found) : null;
  }

  async findVisibleIds(tx: TenantTransaction, caller: Caller, ids: readonly string[]): Promise<Set<string>> {
    const values = new SqlParameters(tx.tenantId, ids);
    const rows = await tx.query<{ id: string }>(
      `SELECT d.id FROM documents d
        WHERE d.tenant_id = $1 AND d.id = ANY ($2::uuid[]) AND ${present(caller, values.bind)}`,
      values.list,
    );
    return new Set(rows.map(({ id }) => id));
  }

  /** Counts at most one document more than `limit`. */
  async sizeOf(
    tx: TenantTransaction,
    caller: Caller,
    scope: DocumentScope,
    limit: number,
  ): Promise<ScopeSize> {
    const values = new SqlParameters(tx.tenantId);
    const { bind } = values;
    const [size] = await tx.query<ScopeSize>(
      `SELECT count(*)::int AS documents, coalesce(sum(v.contents), 0)::bigint AS contents,
              coalesce(sum(v.bytes), 0)::bigint AS bytes
         FROM (SELECT d.id FROM documents d
                WHERE d.tenant_id = $1 AND ${inScope(caller, scope, bind)} AND ${present(caller, bind)}
                LIMIT ${bind(limit + 1)}) s
        CROSS JOIN LATERAL (SELECT count(*) AS contents, sum(v.size) AS bytes FROM document_versions v
                             WHERE v.tenant_id = $1 AND v.document_id = s.id) v`,
      values.list,
      { planEachTime: true },
    );
    return size as ScopeSize;
  }
}

function present(caller: Caller, bind: Bind): string {
  return `(d.status <> 'Deleted' AND ${readableDocuments(caller, 'd', bind)})`;
}

function inScope(caller: Caller, scope: DocumentScope, bind: Bind): string {
  if ('documentIds' in scope) return `d.id = ANY (${bind(scope.documentIds)}::uuid[])`;
  if ('all' in scope) return 'true';
  const files =
    'fileIds' in scope
      ? `f.id = ANY (${bind(scope.fileIds)}::uuid[])`
      : `f.file_type_id = ${bind(scope.fileTypeId)}`;
  return `d.id IN (SELECT df.document_id FROM files f JOIN document_files df ON df.tenant_id = f.tenant_id AND df.file_id = f.id
                    WHERE f.tenant_id = $1 AND df.tenant_id = $1 AND ${files} AND ${visibleFiles(caller, 'f', bind)})`;
}
