import { Inject, Injectable } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../../platform/config/configuration.js';
import { SqlParameters } from '../../platform/database/sql-parameters.js';
import { type TenantTransaction } from '../../platform/database/transactions/tenant-transaction.js';
import { type Caller } from '../../platform/tenancy/access/caller.js';
import { readableDocuments, visibleFiles } from '../../platform/tenancy/access/visibility.js';
import { inDisposal } from '../disposals/disposals.reader.js';
import { heldDocument, heldFile } from '../holds/held.reader.js';
import {
  type DocumentRetentionResponse,
  type FileRetentionRow,
  type RetentionResponse,
} from './retention.dto.js';
import { dueOn, today } from './retention.reader.js';

/** The rule of a file type, with its key. A type without a rule keeps its files for ever. */
type TypeRetentionRow = RetentionResponse & { readonly typeKey: string };

@Injectable()
export class RetentionRepository {
  constructor(@Inject(CONFIGURATION) private readonly configuration: Configuration) {}

  /** Null if the file type does not exist. */
  find(tx: TenantTransaction, fileTypeId: string): Promise<TypeRetentionRow | null> {
    return tx.queryOrNull<TypeRetentionRow>(
      `SELECT t.key AS "typeKey", r.period, coalesce(r.starts_at, 'Closing') AS "startsAt",
              coalesce(r.disposition, 'Review') AS disposition
         FROM file_types t LEFT JOIN file_type_retentions r ON r.tenant_id = $1 AND r.file_type_id = t.id
        WHERE t.tenant_id = $1 AND t.id = $2`,
      [tx.tenantId, fileTypeId],
    );
  }

  /** Locks the file type until the commit, so that only one transaction changes its rule. */
  async lockOrNull(tx: TenantTransaction, fileTypeId: string): Promise<TypeRetentionRow | null> {
    await tx.query('SELECT FROM file_types t WHERE t.tenant_id = $1 AND t.id = $2 FOR NO KEY UPDATE', [
      tx.tenantId,
      fileTypeId,
    ]);
    return this.find(tx, fileTypeId);
  }

  async set(
    tx: TenantTransaction,
    fileTypeId: string,
    { period, startsAt, disposition }: RetentionResponse,
  ): Promise<void> {
    await tx.query(
      `INSERT INTO file_type_retentions (tenant_id, file_type_id, period, starts_at, disposition)
       VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (tenant_id, file_type_id) DO UPDATE
          SET period = excluded.period, starts_at = excluded.starts_at, disposition = excluded.disposition,
              changed_at = excluded.changed_at`,
      [tx.tenantId, fileTypeId, period, startsAt, disposition],
    );
  }

  /** Null if the file does not exist or is not visible to the caller. */
  findOfFile(tx: TenantTransaction, caller: Caller, id: string): Promise<FileRetentionRow | null> {
    const values = new SqlParameters(tx.tenantId, id, this.configuration.timeZone);
    const due = dueOn('f', 'r', '$3');
    return tx.queryOrNull<FileRetentionRow>(
      `SELECT r.period, r.disposition, f.keep_until AS "keepUntil", f.closed_at IS NOT NULL AS "isClosed",
              ${due} AS "dueOn", ${due} < ${today('$3')} AS "isDue", ${heldFile('f.id')} AS "isHeld",
              ${inDisposal('f.id')} AS "isInDisposal"
         FROM files f LEFT JOIN file_type_retentions r ON r.tenant_id = $1 AND r.file_type_id = f.file_type_id
        WHERE f.tenant_id = $1 AND f.id = $2 AND ${visibleFiles(caller, 'f', values.bind)}`,
      values.list,
    );
  }

  /** Null if the document does not exist or the caller cannot read it. */
  findOfDocument(
    tx: TenantTransaction,
    caller: Caller,
    id: string,
  ): Promise<DocumentRetentionResponse | null> {
    const values = new SqlParameters(tx.tenantId, id);
    return tx.queryOrNull<DocumentRetentionResponse>(
      `SELECT ${heldDocument('d.id')} AS "isHeld" FROM documents d
        WHERE d.tenant_id = $1 AND d.id = $2 AND ${readableDocuments(caller, 'd', values.bind)}`,
      values.list,
    );
  }
}
