import { Injectable } from '@nestjs/common';
import { type Page, limitOf } from '../../../common/page.js';
import { notFound } from '../../../common/problem.js';
import { type WriteTransaction } from '../../../platform/database/transactions/tenant-transaction.js';
import { UnitOfWork } from '../../../platform/database/transactions/unit-of-work.js';
import { CursorCodec } from '../../../platform/database/paging/cursor-codec.js';
import { type Caller } from '../../../platform/tenancy/access/caller.js';
import { DocumentChanges } from '../changes/document-changes.js';
import { DocumentLinksRepository, type TargetFile } from '../changes/document-links.repository.js';
import {
  type FileDocumentResponse,
  type ListFileDocumentsQuery,
  presentFileDocument,
} from './file-documents.dto.js';
import { type DocumentView, DocumentsRepository } from '../documents.repository.js';

/** Documents in files: filing, unfiling, and what is in a file. */
@Injectable()
export class DocumentFilingService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly cursors: CursorCodec,
    private readonly documents: DocumentsRepository,
    private readonly links: DocumentLinksRepository,
    private readonly changes: DocumentChanges,
  ) {}

  list(caller: Caller, fileId: string, page: ListFileDocumentsQuery): Promise<Page<FileDocumentResponse>> {
    const list = { operation: 'ListFileDocuments', filters: { fileId } };
    const limit = limitOf(page);
    const after = this.cursors.read(caller, list, page.cursor);
    return this.uow.read(caller, async (tx) => {
      const rows = await this.documents.listOfFile(tx, caller, fileId, after, limit);
      if (!rows) throw notFound();
      return this.cursors.page(
        caller,
        list,
        rows,
        limit,
        (row) => [row.filedAt, row.documentId],
        presentFileDocument,
      );
    });
  }

  async file(caller: Caller, documentId: string, fileId: string): Promise<void> {
    await this.uow.write(caller, async (tx) => {
      const { document, file } = await this.lock(tx, caller, documentId, fileId);
      await this.changes.applyTo(tx, { action: 'File', files: [file] }, document);
    });
  }

  async unfile(caller: Caller, documentId: string, fileId: string): Promise<void> {
    await this.uow.write(caller, async (tx) => {
      const { document, file } = await this.lock(tx, caller, documentId, fileId);
      // The file is visible, so it is named if the document is in it.
      if (!document.fileIds.includes(fileId)) throw notFound();
      await this.changes.applyTo(tx, { action: 'Unfile', files: [file] }, document);
    });
  }

  private async lock(
    tx: WriteTransaction,
    caller: Caller,
    documentId: string,
    fileId: string,
  ): Promise<{ document: DocumentView; file: TargetFile }> {
    const document = await this.documents.lockVisible(tx, caller, documentId);
    const [file] = await this.links.lockFiles(tx, caller, [fileId]);
    if (!file) throw notFound();
    return { document, file };
  }
}
