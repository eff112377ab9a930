import { Injectable } from '@nestjs/common';
import { type TenantTransaction } from '../../../platform/database/transactions/tenant-transaction.js';

/** Downloads that the audit log has recorded. */
@Injectable()
export class DownloadsRepository {
  /** Whether the user started a download of this version within the last hour. */
  async hasBegun(
    tx: TenantTransaction,
    documentId: string,
    version: number,
    userId: string,
  ): Promise<boolean> {
    const entries = await tx.query(
      `SELECT FROM audit_entries e
        WHERE e.tenant_id = $1 AND e.subject_id = $2 AND e.occurred_at > now() - interval '1 hour'
          AND e.action = 'DocumentDownloaded' AND e.actor_id = $3 AND e.content_version = $4 LIMIT 1`,
      [tx.tenantId, documentId, userId, version],
    );
    return entries.length > 0;
  }
}
