import { Injectable } from '@nestjs/common';
import { ContentStore } from '../../../platform/content/content-store.js';
import { type WriteTransaction } from '../../../platform/database/transactions/tenant-transaction.js';
import { type UploadedContent } from '../../../platform/http/body/multipart-upload.js';
import { ContentsRepository } from './contents.repository.js';
import {
  DocumentVersionsRepository,
  type StoredVersion,
  type NewVersion,
} from './document-versions.repository.js';

/**
 * The one place that gives a document, made or locked by now, a content: each a new version, and the newest. The
 * content's row is held from before its bytes are put in place, or relied on, until the commit, so that the sweep
 * cannot take them away in between (see `sweepContent`). Each answers with the number of the version.
 */
@Injectable()
export class DocumentContents {
  constructor(
    private readonly store: ContentStore,
    private readonly contents: ContentsRepository,
    private readonly versions: DocumentVersionsRepository,
  ) {}

  /** Bytes that have just been received, under the name that they are to have. */
  async linkUpload(
    tx: WriteTransaction,
    documentId: string,
    { received, mediaType, fileName }: UploadedContent,
  ): Promise<number> {
    await this.contents.claim(tx, received.sha256, received.size);
    await this.store.keep(tx.tenantId, received);
    return this.link(tx, documentId, {
      contentSha256: received.sha256,
      size: received.size,
      fileName,
      claimedMediaType: mediaType,
      mediaType,
      restoredFrom: null,
    });
  }

  /** The content of one of the document's own versions, whose bytes are there because that version refers to them. */
  async linkVersion(tx: WriteTransaction, version: StoredVersion): Promise<number> {
    const { documentId, number, contentSha256, size, fileName, claimedMediaType, mediaType } = version;
    await this.contents.claim(tx, contentSha256, size);
    return this.link(tx, documentId, {
      contentSha256,
      size,
      fileName,
      claimedMediaType,
      mediaType,
      restoredFrom: number,
    });
  }

  private async link(tx: WriteTransaction, documentId: string, content: NewVersion): Promise<number> {
    const version = await this.versions.add(tx, documentId, content);
    tx.enqueue('ProcessDocument', { documentId, version });
    return version;
  }
}
