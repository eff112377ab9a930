import { Injectable } from '@nestjs/common';
import { SqlParameters } from '../../../platform/database/sql-parameters.js';
import {
  type TenantTransaction,
  type WriteTransaction,
} from '../../../platform/database/transactions/tenant-transaction.js';
import { RENDERER_VERSION } from '../../../platform/extraction/previewer.js';
import { type Caller } from '../../../platform/tenancy/access/caller.js';
import { readableDocuments } from '../../../platform/tenancy/access/visibility.js';
import { type ExpiringRows, ExpirySweep } from '../../../platform/tenancy/tenants/expiry-sweep.js';
import { type DocumentEntity } from '../document.entity.js';
import { type DocumentPreviewEntity } from './document-preview.entity.js';

/** Without content, all but title and status are null. */
type PreviewedDocument = Pick<
  DocumentEntity,
  | 'title'
  | 'status'
  | 'contentText'
  | 'contentVersion'
  | 'contentSha256'
  | 'contentSize'
  | 'contentMediaType'
  | 'contentPageCount'
> &
  KnownContent;

/** What earlier previews have shown of a content. */
interface KnownContent {
  readonly previewPages: number | null;
  /** Whether no page can be rendered. */
  readonly hasFailed: boolean;
}

/** A rendered page. */
export interface StoredPreview {
  /** WebP. */
  readonly image: Buffer;
  readonly isLegible: boolean;
}

export type PreviewKey = Pick<DocumentPreviewEntity, 'documentId' | 'version' | 'page' | 'width'>;

/** Maximum size of the stored previews of a tenant, in bytes. */
const MAX_STORED = 256 * 1024 * 1024;
/** What remains after previews were deleted because of the limit, so that this happens rarely. */
const STORED_AFTERWARDS = 0.9 * MAX_STORED;
/** A row counts as its image and this number of bytes. */
const ROW_SIZE = `(coalesce(octet_length(p.image), 0) + 1024)`;
/** Failures are tried again after a day: a time limit can also be exceeded because the machine is busy. */
const FAILURES_KEPT = `interval '1 day'`;
const KNOWN = `c.preview_pages AS "previewPages", c.preview_failed_at > now() - ${FAILURES_KEPT} AS "hasFailed"`;
const EXPIRED = `p.tenant_id = $1 AND (
  p.created_at <= now() - interval '30 days' OR p.image IS NULL AND p.created_at <= now() - ${FAILURES_KEPT})`;
/** Rows deleted in one transaction. */
const BATCH = 5000;

@Injectable()
export class DocumentPreviewsRepository implements ExpiringRows {
  readonly unmarked = { function: 'tenants_with_expired_document_previews', since: '1 day' } as const;

  constructor(sweep: ExpirySweep) {
    sweep.register(this);
  }

  /** Null if the document does not exist or the caller cannot read it. */
  findReadable(
    tx: TenantTransaction,
    caller: Caller,
    id: string,
    previewer: string,
  ): Promise<PreviewedDocument | null> {
    const values = new SqlParameters(tx.tenantId, id, previewer);
    return tx.queryOrNull<PreviewedDocument>(
      `SELECT d.title, d.status, d.content_text AS "contentText", d.content_version AS "contentVersion",
              d.content_sha256 AS "contentSha256", d.content_size AS "contentSize",
              d.content_media_type AS "contentMediaType", d.content_page_count AS "contentPageCount", ${KNOWN}
         FROM documents d
         LEFT JOIN contents c ON c.tenant_id = $1 AND c.sha256 = d.content_sha256 AND c.previewer = $3
        WHERE d.tenant_id = $1 AND d.id = $2 AND ${readableDocuments(caller, 'd', values.bind)}`,
      values.list,
    );
  }

  /** What is known of a content. */
  async findContent(tx: TenantTransaction, sha256: string, previewer: string): Promise<KnownContent> {
    const [found] = await tx.query<KnownContent>(
      `SELECT ${KNOWN} FROM contents c WHERE c.tenant_id = $1 AND c.sha256 = $2 AND c.previewer = $3`,
      [tx.tenantId, sha256, previewer],
    );
    return found ?? { previewPages: null, hasFailed: false };
  }

  /** @param pages null if no page can be rendered */
  async saveContent(
    tx: WriteTransaction,
    sha256: string,
    previewer: string,
    pages: number | null,
  ): Promise<void> {
    await tx.query(
      `UPDATE contents SET previewer = $3, preview_pages = $4,
              preview_failed_at = ${pages === null ? 'now()' : 'NULL'}
        WHERE tenant_id = $1 AND sha256 = $2`,
      [tx.tenantId, sha256, previewer, pages],
    );
  }

  /** Returns the stored picture; null for a page that cannot be rendered, undefined if nothing is stored. */
  async find(
    tx: TenantTransaction,
    { documentId, version, page, width }: PreviewKey,
  ): Promise<StoredPreview | null | undefined> {
    const [row] = await tx.query<Pick<DocumentPreviewEntity, 'image' | 'isLegible'>>(
      `SELECT p.image, p.is_legible AS "isLegible" FROM document_previews p
        WHERE p.tenant_id = $1 AND p.document_id = $2 AND p.version = $3 AND p.page = $4 AND p.width = $5
          AND p.renderer = $6`,
      [tx.tenantId, documentId, version, page, width, RENDERER_VERSION],
    );
    return row && (row.image ? { image: row.image, isLegible: row.isLegible } : null);
  }

  /** Stores nothing if the version does not exist any more. Deletes previews of earlier versions. */
  async save(
    tx: WriteTransaction,
    { documentId, version, page, width }: PreviewKey,
    preview: StoredPreview | null,
  ): Promise<void> {
    await tx.query(
      `INSERT INTO document_previews (tenant_id, document_id, version, page, width, renderer, image, is_legible)
       SELECT v.tenant_id, v.document_id, v.number, $4, $5, $6, $7::bytea, $8::boolean FROM document_versions v
        WHERE v.tenant_id = $1 AND v.document_id = $2 AND v.number = $3
       ON CONFLICT (tenant_id, document_id, version, page, width)
       DO UPDATE SET renderer = excluded.renderer, image = excluded.image, is_legible = excluded.is_legible,
                     created_at = excluded.created_at`,
      [
        ...[tx.tenantId, documentId, version, page, width, RENDERER_VERSION],
        ...[preview?.image ?? null, preview?.isLegible ?? false],
      ],
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
