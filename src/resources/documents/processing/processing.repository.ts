import { Injectable } from '@nestjs/common';
import { type JobPayloads } from '../../../common/vocabulary/jobs.js';
import { type Statement } from '../../../platform/database/transactions/tenant-batch.js';
import { type TenantTransaction } from '../../../platform/database/transactions/tenant-transaction.js';
import { HAS_TEXT } from '../contents/document-texts.repository.js';
import { type ContentText } from '../document.entity.js';

export interface UnprocessedContent {
  readonly title: string;
  readonly sha256: string;
  /** In bytes. */
  readonly size: number;
  readonly fileName: string | null;
  readonly claimedMediaType: string;
  readonly mediaType: string;
  readonly uploadedBy: string;
  /** False if the version has been read before. */
  readonly isFirstReading: boolean;
  /** An earlier reading of the version found a text. */
  readonly hasText: boolean;
}

export type UnprocessedDocument = JobPayloads['ProcessDocument'];

/**
 * Documents whose content is to be read (`content_text` Pending), identified by the version. Before the first reading of
 * a version, the document is also Processing.
 */
@Injectable()
export class ProcessingRepository {
  /**
   * Returns null if there is nothing to process: it is done, the document has a newer content, or the
   * document was deleted.
   */
  findUnprocessed(tx: TenantTransaction, document: UnprocessedDocument): Promise<UnprocessedContent | null> {
    const { text, values } = unprocessedStatement(tx, document);
    return tx.queryOrNull<UnprocessedContent>(text, values);
  }

  async exists(tx: TenantTransaction, documentId: string): Promise<boolean> {
    const rows = await tx.query('SELECT FROM documents d WHERE d.tenant_id = $1 AND d.id = $2', [
      tx.tenantId,
      documentId,
    ]);
    return rows.length > 0;
  }

  /** Like {@link findUnprocessed}, and locks the document until the commit. */
  async lockUnprocessed(
    tx: TenantTransaction,
    document: UnprocessedDocument,
  ): Promise<UnprocessedContent | null> {
    const [, [content]] = await tx.queryAll<[object, UnprocessedContent]>([
      {
        text: 'SELECT FROM documents d WHERE d.tenant_id = $1 AND d.id = $2 FOR NO KEY UPDATE',
        values: [tx.tenantId, document.documentId],
      },
      // A second statement: a single one that waited for the lock would return the state from before the
      // wait.
      unprocessedStatement(tx, document),
    ]);
    return content ?? null;
  }

  /** After the first reading; the status stays as it is after a later one. */
  async activate(tx: TenantTransaction, { documentId }: UnprocessedDocument): Promise<void> {
    await tx.query(
      `UPDATE documents d SET status = 'Active', updated_at = now()
        WHERE d.tenant_id = $1 AND d.id = $2 AND d.status = 'Processing'`,
      [tx.tenantId, documentId],
    );
  }

  /** The content is not to be read again; its text stays as it is. */
  async keepText(tx: TenantTransaction, { documentId }: UnprocessedDocument): Promise<void> {
    await tx.query(
      `UPDATE documents d SET content_text = 'Available'
        WHERE d.tenant_id = $1 AND d.id = $2 AND d.content_text = 'Pending'`,
      [tx.tenantId, documentId],
    );
  }

  /** Returns documents after `after`, in the order of their ids. */
  listUnprocessed(tx: TenantTransaction, after: string, limit: number): Promise<UnprocessedDocument[]> {
    return tx.query<UnprocessedDocument>(
      `SELECT d.id AS "documentId", d.content_version AS version FROM documents d
        WHERE d.tenant_id = $1 AND d.content_text = 'Pending' AND d.id > $2
        ORDER BY d.id LIMIT $3`,
      [tx.tenantId, after, limit],
    );
  }

  /** Has the contents read again. The documents must be locked, or the statement waits for them. */
  markPending(tx: TenantTransaction, ids: readonly string[]): Promise<UnprocessedDocument[]> {
    return tx.query<UnprocessedDocument>(
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

function unprocessedStatement({ tenantId }: TenantTransaction, document: UnprocessedDocument): Statement {
  return {
    text: `SELECT d.title, d.status = 'Processing' AS "isFirstReading", v.content_sha256 AS sha256, v.size, v.file_name AS "fileName",
                  v.claimed_media_type AS "claimedMediaType", v.media_type AS "mediaType", v.created_by AS "uploadedBy",
                  ${HAS_TEXT} AS "hasText"
             FROM documents d
             JOIN document_versions v
               ON v.tenant_id = d.tenant_id AND v.document_id = d.id AND v.number = d.content_version
            WHERE d.tenant_id = $1 AND v.tenant_id = $1 AND d.id = $2 AND d.content_version = $3
              AND d.content_text = 'Pending'`,
    values: [tenantId, document.documentId, document.version],
  };
}
