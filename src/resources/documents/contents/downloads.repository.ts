import {
  type AuditRecord,
  type TenantTransaction,
} from '../../../platform/database/transactions/tenant-transaction.js';

/** The entry of a download. `contentVersion` is the version of a document. */
export type Download = AuditRecord<'DocumentDownloaded' | 'ExportDownloaded'>;

/** Whether the user started such a download within the last hour. */
export async function hasBegun(tx: TenantTransaction, download: Download, userId: string): Promise<boolean> {
  const { action, subjectId, contentVersion = null } = download;
  const entries = await tx.query(
    `SELECT FROM audit_entries e
      WHERE e.tenant_id = $1 AND e.subject_id = $2 AND e.occurred_at > now() - interval '1 hour'
        AND e.action = $5 AND e.actor_id = $3 AND e.content_version IS NOT DISTINCT FROM $4 LIMIT 1`,
    [tx.tenantId, subjectId, userId, contentVersion, action],
  );
  return entries.length > 0;
}
