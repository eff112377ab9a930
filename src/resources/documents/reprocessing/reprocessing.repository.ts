import { Injectable } from '@nestjs/common';
import { type JobPayloads } from '../../../common/vocabulary/jobs.js';
import { type TenantTransaction } from '../../../platform/database/transactions/tenant-transaction.js';
import { type ContentText } from '../document.entity.js';

@Injectable()
export class ReprocessingRepository {
  /** The documents must be locked, or the statement waits for them. */
  async markPending(
    tx: TenantTransaction,
    ids: readonly string[],
  ): Promise<JobPayloads['ProcessDocument'][]> {
    return tx.query<JobPayloads['ProcessDocument']>(
      `UPDATE documents d SET content_text = 'Pending', content_failure = NULL
        WHERE d.tenant_id = $1 AND d.id = ANY ($2::uuid[]) AND d.content_text <> 'Pending'
          AND d.status <> 'Deleted'
        RETURNING d.id AS "documentId", d.content_version AS version`,
      [tx.tenantId, ids],
    );
  }

  /** Returns ids of documents with such a content, not in the bin, after `after` in the order of their ids. */
  async listIds(
    tx: TenantTransaction,
    texts: readonly ContentText[],
    after: string,
    limit: number,
  ): Promise<string[]> {
    const rows = await tx.query<{ id: string }>(
      `SELECT d.id FROM documents d
        WHERE d.tenant_id = $1 AND d.id > $2 AND d.content_text = ANY ($3::text[]) AND d.status <> 'Deleted'
        ORDER BY d.id LIMIT $4`,
      [tx.tenantId, after, texts, limit],
    );
    return rows.map(({ id }) => id);
  }
}
