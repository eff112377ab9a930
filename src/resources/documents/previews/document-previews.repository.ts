import { Injectable } from '@nestjs/common';
import { SqlParameters } from '../../../platform/database/sql-parameters.js';
import {
  type TenantTransaction,
  type WriteTransaction,
} from '../../../platform/database/transactions/tenant-transaction.js';
import { RENDERER_VERSION } from '../../../platform/extraction/previewer.js';
import { type Caller } from '../../../platform/tenancy/access/caller.js';
import { readableDocuments } from '../../../platform/tenancy/access/visibility.js';
import { type ExpiringRows } from '../../../platform/tenancy/tenants/expiry-sweep.js';
import { type DocumentEntity } from '../document.entity.js';
import { type DocumentPreviewEntity } from './document-preview.entity.js';

/** Without content, all but title and status are null. */
export type PreviewedDocument = Pick<
  DocumentEntity,
  | 'title'
  | 'status'
  | 'contentText'
  | 'contentVersion'
  | 'contentSha256'
  | 'contentSize'
  | 'contentMediaType'
  | 'contentPageCount'
>;

export type PreviewKey = Pick<DocumentPreviewEntity, 'documentId' | 'version' | 'page' | 'width'>;

/** Maximum size of the stored previews of a tenant, in bytes. */
const MAX_STORED = 256 * 1024 * 1024;
/** What remains after previews were deleted because of the limit, so that this happens rarely. */
const STORED_AFTERWARDS = 0.9 * MAX_STORED;
/** A row counts as its image and this number of bytes. */
const ROW_SIZE = `(coalesce(octet_length(p.image), 0) + 1024)`;
/** Failures are tried again after a day: a time limit can also be exceeded because the machine is busy. */
const EXPIRED = `p.tenant_id = $1 AND (
  p.created_at <= now() - interval '30 days' OR p.image IS NULL AND p.created_at <= now() - interval '1 day')`;
/** Rows deleted in one transaction. */
const BATCH = 5000;

@Injectable()
export class DocumentPreviewsRepository implements ExpiringRows {
  readonly unmarked = { function: 'tenants_with_expired_document_previews', since: '1 day' } as const;

  /** Null if the document does not exist or the caller cannot read it. */
  async findReadable(tx: TenantTransaction, caller: Caller, id: string): Promise<PreviewedDocument | null> {
    const values = new SqlParameters(tx.tenantId, id);
    const [found] = await tx.query<PreviewedDocument>(
      `SELECT d.title, d.status, d.content_text AS "contentText", d.content_version AS "contentVersion",
              d.content_sha256 AS "contentSha256", d.content_size AS "contentSize",
              d.content_media_type AS "contentMediaType", d.content_page_count AS "contentPageCount"
         FROM documents d WHERE d.tenant_id = $1 AND d.id = $2 AND ${readableDocuments(caller, 'd', values.bind)}`,
      values.list,
    );
    return found ?? null;
  }

  /** Returns the stored image; null for a page that cannot be rendered, undefined if nothing is stored. */
  async find(
    tx: TenantTransaction,
    { documentId, version, page, width }: PreviewKey,
  ): Promise<Buffer | null | undefined> {
    const [row] = await tx.query<Pick<DocumentPreviewEntity, 'image'>>(
      `SELECT p.image FROM document_previews p
        WHERE p.tenant_id = $1 AND p.document_id = $2 AND p.version = $3 AND p.page = $4 AND p.width = $5
          AND p.renderer = $6`,
      [tx.tenantId, documentId, version, page, width, RENDERER_VERSION],
    );
    return row?.image;
  }

  /** Stores nothing if the version does not exist any more. Deletes previews of earlier versions. */
  async save(
    tx: WriteTransaction,
    { documentId, version, page, width }: PreviewKey,
    image: Buffer | null,
  ): Promise<void> {
    await tx.query(
      `INSERT INTO document_previews (tenant_id, document_id, version, page, width, renderer, image)
       SELECT v.tenant_id, v.document_id, v.number, $4, $5, $6, $7::bytea FROM document_versions v
        WHERE v.tenant_id = $1 AND v.document_id = $2 AND v.number = $3
       ON CONFLICT (tenant_id, document_id, version, page, width)
       DO UPDATE SET renderer = excluded.renderer, image = excluded.image, created_at = excluded.created_at`,
      [tx.tenantId, documentId, version, page, width, RENDERER_VERSION, image],
    );
    await tx.query(
      'DELETE FROM document_previews WHERE tenant_id = $1 AND document_id = $2 AND version < $3',
      [tx.tenantId, documentId, version],
    );
  }

  /** Deletes the oldest previews of the tenant if all exceed the limit. */
  async limit(tx: WriteTransaction, most = MAX_STORED, afterwards = STORED_AFTERWARDS): Promise<void> {
    const [stored] = await tx.query<{ size: number }>(
      `SELECT coalesce(sum(${ROW_SIZE}), 0)::bigint AS size FROM document_previews p WHERE p.tenant_id = $1`,
      [tx.tenantId],
    );
    if (!stored || stored.size <= most) return;
    const [oldest] = await tx.query<{ until: string }>(
      `SELECT max(newer.created_at) AS until FROM (
         SELECT p.created_at, sum(${ROW_SIZE}) OVER (ORDER BY p.created_at DESC, p.document_id, p.page, p.width) AS size
           FROM document_previews p WHERE p.tenant_id = $1) newer
        WHERE newer.size > $2`,
      [tx.tenantId, afterwards],
    );
    await this.delete(tx, 'p.tenant_id = $1 AND p.created_at <= $2', [oldest?.until]);
  }

  /** Deletes one batch. The next sweep deletes the rest. */
  async markExpired(tx: WriteTransaction): Promise<void> {
    await this.delete(tx, EXPIRED, []);
  }

  /** Skips rows that another transaction deletes. */
  private async delete(tx: WriteTransaction, condition: string, values: readonly unknown[]): Promise<void> {
    await tx.query(
      `DELETE FROM document_previews WHERE tenant_id = $1 AND ctid = ANY (ARRAY(
         SELECT p.ctid FROM document_previews p WHERE ${condition} ORDER BY p.created_at LIMIT ${BATCH}
            FOR UPDATE SKIP LOCKED))`,
      [tx.tenantId, ...values],
    );
  }
}
