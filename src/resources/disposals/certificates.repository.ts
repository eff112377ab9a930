import { Inject, Injectable } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../../platform/config/configuration.js';
import { type TenantTransaction } from '../../platform/database/transactions/tenant-transaction.js';
import { type Actors, type CertificateFileResponse, type CertifiedType } from './certificates.dto.js';

const NOBODY: Actors = { DisposalCreated: '–', DisposalSubmitted: '–', DisposalApproved: '–' };

/** What the certificate of a disposal consists of, besides the disposal itself. */
@Injectable()
export class CertificatesRepository {
  constructor(@Inject(CONFIGURATION) private readonly configuration: Configuration) {}

  /** From the audit log, which keeps the names. */
  async actors(tx: TenantTransaction, disposalId: string): Promise<Actors> {
    const rows = await tx.query<{ action: keyof Actors; name: string }>(
      `SELECT DISTINCT ON (e.action) e.action, coalesce(e.actor_name, '–') AS name FROM audit_entries e
        WHERE e.tenant_id = $1 AND e.subject_id = $2 AND e.action = ANY ($3::text[])
        ORDER BY e.action, e.occurred_at DESC`,
      [tx.tenantId, disposalId, Object.keys(NOBODY)],
    );
    return { ...NOBODY, ...Object.fromEntries(rows.map(({ action, name }) => [action, name])) };
  }

  async fileType(tx: TenantTransaction, fileTypeId: string): Promise<CertifiedType> {
    const [row] = await tx.query<CertifiedType>(
      `SELECT t.key, t.name_de AS "nameDe", t.name_en AS "nameEn" FROM file_types t
        WHERE t.tenant_id = $1 AND t.id = $2`,
      [tx.tenantId, fileTypeId],
    );
    return row as CertifiedType;
  }

  /** All files of the disposal, first closed first. Days are those of the time zone of the service. */
  async files(tx: TenantTransaction, disposalId: string): Promise<CertificateFileResponse[]> {
    const day = (column: string) => `(o.${column} AT TIME ZONE $3)::date`;
    return tx.query<CertificateFileResponse>(
      `SELECT o.number, ${day('closed_at')} AS "closedOn", o.due_on AS "dueOn", o.decision, o.reference,
              o.keep_until AS "keepUntil", o.outcome, o.skipped_because AS "skippedBecause",
              ${day('disposed_at')} AS "disposedOn", o.document_count AS "documentCount",
              o.document_bytes AS "documentBytes"
         FROM disposal_files o WHERE o.tenant_id = $1 AND o.disposal_id = $2 ORDER BY o.closed_at, o.file_id`,
      [tx.tenantId, disposalId, this.configuration.timeZone],
    );
  }
}
