import { Injectable } from '@nestjs/common';
import { type TenantTransaction } from '../../database/tenant-transaction.js';
import { type DocumentStatus } from '../document.entity.js';
import { type DocumentVersionEntity } from './document-version.entity.js';

/** What a version is made of; its number follows from those that the document has had. */
export type NewVersion = Pick<
  DocumentVersionEntity,
  'contentSha256' | 'size' | 'fileName' | 'claimedMediaType' | 'mediaType' | 'restoredFrom'
>;

/** What looking into the bytes of a version has brought to light. */
export type VersionFindings = Pick<
  DocumentVersionEntity,
  'mediaType' | 'pageCount' | 'imageWidth' | 'imageHeight' | 'wordCount' | 'failure'
>;

/** The contents that documents have, or have had. Whoever changes them has locked the document's row. */
@Injectable()
export class DocumentVersionsRepository {
  /**
   * Makes the version the newest of the document, whose own row carries it from now on; its number. What is known of
   * the former content is not true of this one.
   */
  async add(
    tx: TenantTransaction,
    documentId: string,
    version: NewVersion,
    status: DocumentStatus,
  ): Promise<number> {
    const { contentSha256, size, fileName, claimedMediaType, mediaType, restoredFrom } = version;
    const [added] = await tx.query<{ number: number }>(
      `WITH document AS (
         UPDATE documents d
            SET content_version = coalesce(d.content_version, 0) + 1, content_sha256 = $3, content_size = $4,
                content_file_name = $5, content_media_type = $7, content_page_count = NULL, status = $10,
                updated_at = now()
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
        status,
      ],
    );
    if (!added) throw new Error('The document of a new version is not there');
    return added.number;
  }

  /** Says what was found in a version; of the newest, the document's own row says it, too. */
  async describe(
    tx: TenantTransaction,
    documentId: string,
    number: number,
    { mediaType, pageCount, imageWidth, imageHeight, wordCount, failure }: VersionFindings,
  ): Promise<void> {
    await tx.query(
      `WITH version AS (
         UPDATE document_versions v
            SET media_type = $4, page_count = $5, image_width = $6, image_height = $7, word_count = $8, failure = $9
          WHERE v.tenant_id = $1 AND v.document_id = $2 AND v.number = $3
       )
       UPDATE documents d SET content_media_type = $4, content_page_count = $5
        WHERE d.tenant_id = $1 AND d.id = $2 AND d.content_version = $3`,
      [tx.tenantId, documentId, number, mediaType, pageCount, imageWidth, imageHeight, wordCount, failure],
    );
  }
}
