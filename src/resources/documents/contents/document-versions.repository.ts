import { Injectable } from '@nestjs/common';
import { Problem, notFound } from '../../../common/problem.js';
import { type Position } from '../../../platform/database/paging/cursor-codec.js';
import { SqlParameters } from '../../../platform/database/sql-parameters.js';
import { type TenantTransaction } from '../../../platform/database/transactions/tenant-transaction.js';
import { type Caller } from '../../../platform/tenancy/access/caller.js';
import { readableDocuments } from '../../../platform/tenancy/access/visibility.js';
import { type DocumentVersionEntity } from './document-version.entity.js';

/** The number is assigned when the version is added. */
export type NewVersion = Pick<
  DocumentVersionEntity,
  'contentSha256' | 'size' | 'fileName' | 'claimedMediaType' | 'mediaType' | 'restoredFrom'
>;

export type VersionMetadata = Pick<
  DocumentVersionEntity,
  'mediaType' | 'pageCount' | 'imageWidth' | 'imageHeight' | 'wordCount' | 'recognisedPages' | 'failure'
>;

export type ListedVersion = Omit<
  DocumentVersionEntity,
  'tenantId' | 'documentId' | 'claimedMediaType' | 'recognisedPages'
> & {
  readonly isNewest: boolean;
};

type ReadableVersion = Pick<
  DocumentVersionEntity,
  'number' | 'contentSha256' | 'size' | 'mediaType' | 'fileName'
> & { readonly title: string };

/** A stored version, to restore it or to compare another content with it. */
export type StoredVersion = Omit<NewVersion, 'restoredFrom'> &
  Pick<DocumentVersionEntity, 'documentId' | 'number'>;

const CONTENT = `v.number, v.content_sha256 AS "contentSha256", v.size, v.media_type AS "mediaType", v.file_name AS "fileName"`;
const METADATA = `v.page_count AS "pageCount", v.image_width AS "imageWidth", v.image_height AS "imageHeight",
  v.word_count AS "wordCount", v.failure`;
const ORIGIN = `v.created_by AS "createdBy", v.created_at AS "createdAt", v.restored_from AS "restoredFrom"`;

/** Callers that change versions must have locked the row of the document. */
@Injectable()
export class DocumentVersionsRepository {
  /**
   * Adds the version as the newest one, copies it into the row of the document, and returns its number. The
   * document becomes Processing and its page count null, because these described the former content.
   */
  async add(tx: TenantTransaction, documentId: string, version: NewVersion): Promise<number> {
    const { contentSha256, size, fileName, claimedMediaType, mediaType, restoredFrom } = version;
    const [added] = await tx.query<{ number: number }>(
      `WITH document AS (
         UPDATE documents d
            SET content_version = coalesce(d.content_version, 0) + 1, content_sha256 = $3, content_size = $4,
                content_file_name = $5, content_media_type = $7, content_page_count = NULL, content_text = 'Pending',
                content_failure = NULL, status = 'Processing', updated_at = now()
          WHERE d.tenant_id = $1 AND d.id = $2 RETURNING d.content_version
       )
       INSERT INTO document_versions (tenant_id, document_id, number, content_sha256, size, file_name,
                                      claimed_media_type, media_type, restored_from, created_by)
       SELECT $1, $2, content_version, $3, $4, $5, $6, $7, $8, $9 FROM document RETURNING number`,
      [
        tx.tenantId,
        documentId,
        contentSha256,
        size,
        fileName,
        claimedMediaType,
        mediaType,
        restoredFrom,
        tx.context.actorId,
      ],
    );
    if (!added) throw new Error('The document of the new version does not exist');
    return added.number;
  }

  find(tx: TenantTransaction, documentId: string, number: number): Promise<StoredVersion | null> {
    return tx.queryOrNull<StoredVersion>(
      `SELECT v.document_id AS "documentId", v.claimed_media_type AS "claimedMediaType", ${CONTENT}
         FROM document_versions v
        WHERE v.tenant_id = $1 AND v.document_id = $2 AND v.number = $3`,
      [tx.tenantId, documentId, number],
    );
  }

  /** Returns the version with the number, or the newest one (null), of a document that the caller can read. */
  async getReadable(
    tx: TenantTransaction,
    caller: Caller,
    documentId: string,
    number: number | null,
  ): Promise<ReadableVersion> {
    const values = new SqlParameters(tx.tenantId, documentId, number);
    const [row] = await tx.query<ReadableVersion | { number: null }>(
      `SELECT d.title, ${CONTENT}
         FROM documents d LEFT JOIN document_versions v
           ON v.tenant_id = $1 AND v.document_id = d.id AND v.number = coalesce($3::int, d.content_version)
        WHERE d.tenant_id = $1 AND d.id = $2 AND ${readableDocuments(caller, 'd', values.bind)}`,
      values.list,
    );
    if (!row) throw notFound();
    if (row.number !== null) return row;
    throw number === null ? new Problem('document.without-content') : notFound();
  }

  /**
   * Returns the versions of the document, newest first, and one row more than `limit`. Null if the document
   * does not exist or the caller cannot read it. One statement answers both, to save a round trip.
   */
  async list(
    tx: TenantTransaction,
    caller: Caller,
    documentId: string,
    after: Position | null,
    limit: number,
  ): Promise<ListedVersion[] | null> {
    const values = new SqlParameters(tx.tenantId, documentId);
    const { bind } = values;
    const before = after ? `AND v.number < ${bind(after[0])}::int` : '';
    const rows = await tx.query<ListedVersion | { number: null }>(
      `SELECT page.*, page.number = d.content_version AS "isNewest" FROM documents d LEFT JOIN (
         SELECT ${CONTENT}, ${METADATA}, ${ORIGIN} FROM document_versions v
          WHERE v.tenant_id = $1 AND v.document_id = $2 ${before}
          ORDER BY v.number DESC LIMIT ${bind(limit + 1)}
       ) page ON true
        WHERE d.tenant_id = $1 AND d.id = $2 AND ${readableDocuments(caller, 'd', bind)}
        ORDER BY page.number DESC`,
      values.list,
    );
    if (rows.length === 0) return null;
    return rows.filter((row): row is ListedVersion => row.number !== null);
  }

  /** If the version is the newest, also saves the metadata in the row of the document. */
  async saveMetadata(
    tx: TenantTransaction,
    documentId: string,
    number: number,
    { mediaType, pageCount, imageWidth, imageHeight, wordCount, recognisedPages, failure }: VersionMetadata,
  ): Promise<void> {
    const state = failure ? 'Failed' : wordCount ? 'Available' : 'None';
    await tx.query(
      `WITH version AS (
         UPDATE document_versions v
            SET media_type = $4, page_count = $5, image_width = $6, image_height = $7, word_count = $8,
                recognised_pages = $9, failure = $10
          WHERE v.tenant_id = $1 AND v.document_id = $2 AND v.number = $3
       )
       UPDATE documents d
          SET content_media_type = $4, content_page_count = $5, content_text = $11, content_failure = $10
        WHERE d.tenant_id = $1 AND d.id = $2 AND d.content_version = $3`,
      [
        tx.tenantId,
        documentId,
        number,
        mediaType,
        pageCount,
        imageWidth,
        imageHeight,
        wordCount,
        recognisedPages,
        failure,
        state,
      ],
    );
  }
}
