import { Injectable } from '@nestjs/common';
import { type Page } from '../../../common/page.js';
import { orNotFound } from '../../../common/problem.js';
import { PagedReads } from '../../../platform/database/paging/paged-reads.js';
import { type WriteTransaction } from '../../../platform/database/transactions/tenant-transaction.js';
import { UnitOfWork } from '../../../platform/database/transactions/unit-of-work.js';
import { type UploadedContent } from '../../../platform/http/body/multipart-upload.js';
import { contentTag } from '../../../platform/http/response/content-response.js';
import { type PageQuery } from '../../../platform/http/input/page-query.js';
import { type Caller } from '../../../platform/tenancy/access/caller.js';
import { DocumentRules } from '../changes/document-rules.js';
import { DocumentContents } from '../contents/document-contents.js';
import { DocumentTextsRepository } from '../contents/document-texts.repository.js';
import { type StoredVersion, DocumentVersionsRepository } from '../contents/document-versions.repository.js';
import {
  type DocumentResponse,
  type UploadedDocumentResponse,
  presentDocument,
  presentUploaded,
} from '../document-response.dto.js';
import { type DocumentView, DocumentsRepository } from '../documents.repository.js';
import { type DocumentVersionResponse, presentVersion } from './document-versions.dto.js';

@Injectable()
export class DocumentVersionsService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly pages: PagedReads,
    private readonly documents: DocumentsRepository,
    private readonly versions: DocumentVersionsRepository,
    private readonly contents: DocumentContents,
    private readonly texts: DocumentTextsRepository,
    private readonly rules: DocumentRules,
  ) {}

  list(caller: Caller, documentId: string, page: PageQuery): Promise<Page<DocumentVersionResponse>> {
    return this.pages.page(caller, { operation: 'ListDocumentVersions', filters: { documentId } }, page, {
      rows: (tx, after, limit) => this.versions.list(tx, caller, documentId, after, limit),
      position: ({ number }) => [String(number)],
      present: presentVersion,
    });
  }

  /**
   * Replaces the content of the document, or adds its first. An upload without a file name keeps the name of
   * the former content.
   *
   * @param upload the code that received it also discards it
   */
  replace(caller: Caller, id: string, upload: UploadedContent): Promise<UploadedDocumentResponse> {
    return this.uow.write(caller, async (tx) => {
      const document = await this.documents.lockVisible(tx, caller, id);
      const { contentSha256 } = document;
      // `If-Match` and `If-None-Match` may have the entity tag of the content or of the document.
      const tag = contentSha256 === null ? null : contentTag(contentSha256);
      await tx.expectRepresentation(() => presentDocument(document), { tag });
      // Check now, before bytes are stored that a rollback would not remove.
      tx.throwIfStale();
      await this.rules.requireAllowed(tx, 'ReplaceContent', document);
      const named = { ...upload, fileName: upload.fileName ?? document.contentFileName };
      const newest = await this.newestOf(tx, document);
      if (!newest || !isSameUpload(named, newest)) {
        const number = await this.contents.linkUpload(tx, id, named);
        await this.clearText(tx, id);
        const summary = [`${document.title}: version ${number}`, named.fileName].filter(Boolean).join(', ');
        tx.record({ action: 'DocumentUpdated', subjectId: id, summary });
      }
      const { sha256 } = upload.received;
      const duplicateIds = await this.documents.findDuplicates(tx, caller, sha256, id);
      return presentUploaded(await this.documents.view(tx, caller, id), duplicateIds);
    });
  }

  /** Restores a former version as a new version, so that the versions in between are kept. */
  restore(caller: Caller, id: string, number: number): Promise<DocumentResponse> {
    return this.uow.write(caller, async (tx) => {
      const document = await this.documents.lockVisible(tx, caller, id);
      const version = orNotFound(await this.versions.find(tx, id, number));
      await this.rules.requireAllowed(tx, 'ReplaceContent', document);
      const newest = await this.newestOf(tx, document);
      if (newest && isSame(version, newest)) return presentDocument(document);
      const restored = await this.contents.linkVersion(tx, version);
      await this.clearText(tx, id);
      const summary = `${document.title}: version ${restored}, restored from version ${number}`;
      tx.record({ action: 'DocumentUpdated', subjectId: id, summary });
      return presentDocument(await this.documents.view(tx, caller, id));
    });
  }

  /**
   * Removes the old text from searches, because the text of the new content is not known yet. Updates the
   * file name.
   */
  private async clearText(tx: WriteTransaction, id: string): Promise<void> {
    await this.texts.replaceText(tx, id, null);
    await this.texts.indexTitle(tx, id);
  }

  private async newestOf(
    tx: WriteTransaction,
    { id, contentVersion }: DocumentView,
  ): Promise<StoredVersion | null> {
    return contentVersion === null ? null : this.versions.find(tx, id, contentVersion);
  }
}

/**
 * Whether the upload equals the version: same bytes, same file name, and the claimed or the detected media
 * type.
 */
function isSameUpload(
  { received, fileName, mediaType }: UploadedContent,
  { contentSha256, fileName: name, mediaType: found, claimedMediaType }: StoredVersion,
): boolean {
  return (
    received.sha256 === contentSha256 && fileName === name && [found, claimedMediaType].includes(mediaType)
  );
}

function isSame(one: StoredVersion, other: StoredVersion): boolean {
  return (
    one.contentSha256 === other.contentSha256 &&
    one.fileName === other.fileName &&
    one.claimedMediaType === other.claimedMediaType
  );
}
