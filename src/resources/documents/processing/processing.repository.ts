import { Injectable } from '@nestjs/common';
import { type Statement } from '../../../platform/database/transactions/tenant-batch.js';
import { type TenantTransaction } from '../../../platform/database/transactions/tenant-transaction.js';

/** A content that nobody has looked into yet, with what has to be known for that. */
export interface WaitingContent {
  readonly title: string;
  readonly sha256: string;
  /** In bytes. */
  readonly size: number;
  readonly fileName: string | null;
  readonly claimedMediaType: string;
  readonly mediaType: string;
  readonly uploadedBy: string;
}

export interface WaitingDocument {
  readonly documentId: string;
  readonly version: number;
}

/** Documents that are Processing, by the version that is to be looked into. */
@Injectable()
export class ProcessingRepository {
  /** Null where there is nothing to do (any more): it is done, or the document has got another content, or is gone. */
  async findWaiting(tx: TenantTransaction, document: WaitingDocument): Promise<WaitingContent | null> {
    const { text, values } = waitingStatement(tx, document);
    const [content] = await tx.query<WaitingContent>(text, values);
    return content ?? null;
  }

  /** The same for changing: nobody else changes the document until the commit. */
  async lockWaiting(tx: TenantTransaction, document: WaitingDocument): Promise<WaitingContent | null> {
    const [, rows] = await tx.queryAll([
      {
        text: 'SELECT FROM documents d WHERE d.tenant_id = $1 AND d.id = $2 FOR NO KEY UPDATE',
        values: [tx.tenantId, document.documentId],
      },
      // A statement of its own: one that waited for the lock would go on with what it had read before.
      waitingStatement(tx, document),
    ]);
    return (rows as WaitingContent[] | undefined)?.[0] ?? null;
  }

  async activate(tx: TenantTransaction, { documentId }: WaitingDocument): Promise<void> {
    await tx.query(
      `UPDATE documents d SET status = 'Active', updated_at = now() WHERE d.tenant_id = $1 AND d.id = $2`,
      [tx.tenantId, documentId],
    );
  }

  /** In the order of their ids. */
  listWaiting(tx: TenantTransaction, after: string, limit: number): Promise<WaitingDocument[]> {
    return tx.query<{ documentId: string; version: number }>(
      `SELECT d.id AS "documentId", d.content_version AS version FROM documents d
        WHERE d.tenant_id = $1 AND d.status = 'Processing' AND d.content_version IS NOT NULL AND d.id > $2
        ORDER BY d.id LIMIT $3`,
      [tx.tenantId, after, limit],
    );
  }
}

function waitingStatement({ tenantId }: TenantTransaction, document: WaitingDocument): Statement {
  return {
    text: `SELECT d.title, v.content_sha256 AS sha256, v.size, v.file_name AS "fileName",
                  v.claimed_media_type AS "claimedMediaType", v.media_type AS "mediaType", v.created_by AS "uploadedBy"
             FROM documents d
             JOIN document_versions v
               ON v.tenant_id = d.tenant_id AND v.document_id = d.id AND v.number = d.content_version
            WHERE d.tenant_id = $1 AND v.tenant_id = $1 AND d.id = $2 AND d.content_version = $3
              AND d.status = 'Processing'`,
    values: [tenantId, document.documentId, document.version],
  };
}
