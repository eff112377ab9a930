import { Injectable } from '@nestjs/common';
import { type Page } from '../../../common/page.js';
import { missingPermission, notFound, orNotFound } from '../../../common/problem.js';
import { PagedReads } from '../../../platform/database/paging/paged-reads.js';
import { type WriteTransaction } from '../../../platform/database/transactions/tenant-transaction.js';
import { UnitOfWork } from '../../../platform/database/transactions/unit-of-work.js';
import { type PageQuery } from '../../../platform/http/input/page-query.js';
import { type Caller } from '../../../platform/tenancy/access/caller.js';
import { DocumentChanges } from '../changes/document-changes.js';
import {
  DocumentLinksRepository,
  type HoldsOption,
  type TargetFile,
  type TargetTag,
} from '../changes/document-links.repository.js';
import { type DocumentView, DocumentsRepository } from '../documents.repository.js';
import { type FileDocumentResponse, type MoveDocumentBody } from './file-documents.dto.js';

@Injectable()
export class DocumentLinksService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly pages: PagedReads,
    private readonly documents: DocumentsRepository,
    private readonly links: DocumentLinksRepository,
    private readonly changes: DocumentChanges,
  ) {}

  list(caller: Caller, fileId: string, page: PageQuery): Promise<Page<FileDocumentResponse>> {
    return this.pages.page(caller, { operation: 'ListFileDocuments', filters: { fileId } }, page, {
      rows: (tx, after, limit) => this.documents.listOfFile(tx, caller, fileId, after, limit),
      position: (row) => [row.filedAt, row.documentId],
      present: (document) => document,
      fromReplica: true,
    });
  }

  async file(caller: Caller, documentId: string, fileId: string): Promise<void> {
    await this.uow.write(caller, async (tx) => {
      const { document, file } = await this.lockFiled(tx, caller, documentId, fileId);
      await this.changes.applyTo(tx, { action: 'File', files: [file] }, document);
    });
  }

  async unfile(caller: Caller, documentId: string, fileId: string): Promise<void> {
    await this.uow.write(caller, async (tx) => {
      const { document, file } = await this.lockFiled(tx, caller, documentId, fileId, { asksForHolds: true });
      // `fileIds` contains the file if the document is filed in it, because the file is visible to the
      // caller.
      if (!document.fileIds.includes(fileId)) throw notFound();
      await this.changes.applyTo(tx, { action: 'Unfile', files: [file] }, document);
    });
  }

  async move(caller: Caller, documentId: string, { fromFileId, toFileId }: MoveDocumentBody): Promise<void> {
    await this.uow.write(caller, async (tx) => {
      const document = await this.documents.lockVisible(tx, caller, documentId);
      const files = await this.links.lockMove(tx, caller, { fromFileId, toFileId });
      if (!caller.has('documents.file') && !files.every(({ hasWriteGrant }) => hasWriteGrant))
        throw missingPermission('documents.file');
      await this.changes.applyTo(tx, { action: 'Move', files }, document);
    });
  }

  async tag(caller: Caller, documentId: string, tagId: string): Promise<void> {
    await this.uow.write(caller, async (tx) => {
      const document = await this.documents.lockVisible(tx, caller, documentId);
      const tag = await this.lockTag(tx, tagId);
      await this.changes.applyTo(tx, { action: 'Tag', tags: [tag] }, document);
    });
  }

  async untag(caller: Caller, documentId: string, tagId: string): Promise<void> {
    await this.uow.write(caller, async (tx) => {
      const document = await this.documents.lockVisible(tx, caller, documentId);
      const tag = await this.lockTag(tx, tagId);
      if (!document.tagIds.includes(tagId)) throw notFound();
      await this.changes.applyTo(tx, { action: 'Untag', tags: [tag] }, document);
    });
  }

  private async lockFiled(
    tx: WriteTransaction,
    caller: Caller,
    documentId: string,
    fileId: string,
    options?: HoldsOption,
  ): Promise<{ document: DocumentView; file: TargetFile }> {
    const document = await this.documents.lockVisible(tx, caller, documentId);
    const [file] = await this.links.lockFiles(tx, caller, [fileId], options);
    if (!file) throw notFound();
    return { document, file };
  }

  private async lockTag(tx: WriteTransaction, tagId: string): Promise<TargetTag> {
    const [tag] = await this.links.lockTags(tx, [tagId]);
    return orNotFound(tag);
  }
}
