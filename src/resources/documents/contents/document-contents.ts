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
 * The only code that gives a document (new or locked) a content. Each content is a new version, the newest
 * one. The row of the content is locked before its bytes are stored or reused until the commit, so that the
 * sweep cannot remove them in between (see `ContentSweeper`). The methods return the version number.
 */
@Injectable()
export class DocumentContents {
  constructor(
    private readonly store: ContentStore,
    private readonly contents: ContentsRepository,
    private readonly versions: DocumentVersionsRepository,
  ) {}

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

  /**
   * Links the content of a version of the same document again. Its bytes exist, because that version refers
   * to them.
   */
  async linkVersion(tx: WriteTransaction, version: StoredVersion): Promise<number> {
    await this.contents.claim(tx, version.contentSha256, version.size);
    return this.link(tx, version.documentId, { ...version, restoredFrom: version.number });
  }

  private async link(tx: WriteTransaction, documentId: string, content: NewVersion): Promise<number> {
    const version = await this.versions.add(tx, documentId, content);
    tx.enqueue('ProcessDocument', { documentId, version });
    return version;
  }
}
