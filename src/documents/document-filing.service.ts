import { Injectable } from '@nestjs/common';
import { type Page } from '../common/page.js';
import { Problem, notFound } from '../common/problem.js';
import { type WriteTransaction } from '../database/tenant-transaction.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { CursorCodec } from '../http/cursor-codec.js';
import { limitOf } from '../http/fields.js';
import { type Caller } from '../tenancy/caller.js';
import { DocumentLinksRepository, type TargetFile } from './document-links.repository.js';
import { recordFiled, recordUnfiled } from './document-records.js';
import { DocumentRules } from './document-rules.js';
import {
  type FileDocumentResponse,
  type ListFileDocumentsQuery,
  presentFileDocument,
} from './documents.dto.js';
import { type DocumentView, DocumentsRepository } from './documents.repository.js';

/** Documents in files: filing, unfiling, and what is in a file. */
@Injectable()
export class DocumentFilingService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly cursors: CursorCodec,
    private readonly documents: DocumentsRepository,
    private readonly links: DocumentLinksRepository,
    private readonly rules: DocumentRules,
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
      this.rules.notInBin(document);
      refuseClosed(file);
      if ((await this.links.addFiles(tx, documentId, [fileId])) === 0) return;
      await this.documents.touch(tx, documentId);
      recordFiled(tx, document, file);
    });
  }

  async unfile(caller: Caller, documentId: string, fileId: string): Promise<void> {
    await this.uow.write(caller, async (tx) => {
      const { document, file } = await this.lock(tx, caller, documentId, fileId);
      // The file is visible, so it is named if the document is in it.
      if (!document.fileIds.includes(fileId)) throw notFound();
      this.rules.notInBin(document);
      this.rules.notProcessing(document);
      refuseClosed(file);
      await this.links.removeFile(tx, documentId, fileId);
      await this.documents.touch(tx, documentId);
      recordUnfiled(tx, document, file);
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

function refuseClosed({ status }: TargetFile): void {
  if (status === 'Closed') throw new Problem('file.closed');
}
