import { Injectable } from '@nestjs/common';
import { type Page } from '../../../common/page.js';
import { missingPermission, notFound } from '../../../common/problem.js';
import { PagedReads } from '../../../platform/database/paging/paged-reads.js';
import { UnitOfWork } from '../../../platform/database/transactions/unit-of-work.js';
import { type PageQuery } from '../../../platform/http/input/page-query.js';
import { type Caller } from '../../../platform/tenancy/access/caller.js';
import { FilesReader } from '../../files/files.reader.js';
import { DocumentChanges } from '../changes/document-changes.js';
import { DocumentLinksRepository } from '../changes/document-links.repository.js';
import { DocumentsRepository } from '../documents.repository.js';
import { type FileDocumentResponse, type MoveDocumentBody } from './file-documents.dto.js';

@Injectable()
export class DocumentLinksService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly pages: PagedReads,
    private readonly documents: DocumentsRepository,
    private readonly files: FilesReader,
    private readonly links: DocumentLinksRepository,
    private readonly changes: DocumentChanges,
  ) {}

  list(caller: Caller, fileId: string, page: PageQuery): Promise<Page<FileDocumentResponse>> {
    return this.pages.page(caller, { operation: 'ListFileDocuments', filters: { fileId } }, page, {
      rows: async (tx, after, limit) => {
        const rows = await this.documents.listOfFile(tx, caller, fileId, after, limit);
        if (rows.length > 0) return rows;
        // Asks for the file only now, because most pages have documents.
        return (await this.files.findVisibleIds(tx, caller, [fileId])).has(fileId) ? rows : null;
      },
      position: (row) => [row.filedAt, row.documentId],
      present: (document) => document,
      fromReplica: true,
    });
  }

  async changeFile(
    caller: Caller,
    documentId: string,
    fileId: string,
    action: 'File' | 'Unfile',
  ): Promise<void> {
    await this.uow.write(caller, async (tx) => {
      const document = await this.documents.lockVisible(tx, caller, documentId);
      const [file] = await this.links.lockFiles(tx, caller, [fileId], { asksForHolds: action === 'Unfile' });
      // `fileIds` contains the file if the document is filed in it, because the file is visible to the
      // caller.
      if (!file || (action === 'Unfile' && !document.fileIds.includes(fileId))) throw notFound();
      await this.changes.applyTo(tx, { action, files: [file] }, document);
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

  async changeTag(caller: Caller, documentId: string, tagId: string, action: 'Tag' | 'Untag'): Promise<void> {
    await this.uow.write(caller, async (tx) => {
      const document = await this.documents.lockVisible(tx, caller, documentId);
      const [tag] = await this.links.lockTags(tx, [tagId]);
      if (!tag || (action === 'Untag' && !document.tagIds.includes(tagId))) throw notFound();
      await this.changes.applyTo(tx, { action, tags: [tag] }, document);
    });
  }
}
