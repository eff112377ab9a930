import { Injectable } from '@nestjs/common';
import { Problem } from '../common/problem.js';
import { type WriteTransaction } from '../database/tenant-transaction.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { type Caller } from '../tenancy/caller.js';
import { DocumentRules } from './document-rules.js';
import { type DocumentResponse, presentDocument } from './documents.dto.js';
import { type DocumentView, DocumentsRepository } from './documents.repository.js';

/** Archive and bin: Active ↔ Archived, either → Deleted, and back to what it was. */
@Injectable()
export class DocumentStatesService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly documents: DocumentsRepository,
    private readonly rules: DocumentRules,
  ) {}

  archive(caller: Caller, id: string): Promise<DocumentResponse> {
    return this.change(caller, id, 'DocumentArchived', async (tx, document) => {
      this.rules.notInBin(document);
      this.rules.notProcessing(document);
      if (document.status === 'Archived')
        throw new Problem('document.archived', 'The document is archived already.');
      await this.rules.notInClosedFile(tx, document);
      await this.documents.setStatus(tx, id, 'Archived');
    });
  }

  unarchive(caller: Caller, id: string): Promise<DocumentResponse> {
    return this.change(caller, id, 'DocumentUnarchived', async (tx, document) => {
      this.rules.notInBin(document);
      if (document.status !== 'Archived') throw new Problem('document.not-archived');
      await this.rules.notInClosedFile(tx, document);
      await this.documents.setStatus(tx, id, 'Active');
    });
  }

  async delete(caller: Caller, id: string): Promise<void> {
    await this.change(caller, id, 'DocumentDeleted', async (tx, document) => {
      this.rules.notInBin(document);
      this.rules.notProcessing(document);
      await this.rules.notInClosedFile(tx, document);
      await this.documents.bin(tx, id);
    });
  }

  /** Links and values were never taken away. A Closed file is no obstacle: nothing is filed, it was there all along. */
  restore(caller: Caller, id: string): Promise<DocumentResponse> {
    return this.change(caller, id, 'DocumentRestored', async (tx, document) => {
      if (document.status !== 'Deleted') throw new Problem('document.not-deleted');
      await this.documents.restore(tx, id);
    });
  }

  private change(
    caller: Caller,
    id: string,
    action: 'DocumentArchived' | 'DocumentUnarchived' | 'DocumentDeleted' | 'DocumentRestored',
    work: (tx: WriteTransaction, document: DocumentView) => Promise<void>,
  ): Promise<DocumentResponse> {
    return this.uow.write(caller, async (tx) => {
      const document = await this.documents.lockVisible(tx, caller, id);
      await tx.expectRepresentation(() => presentDocument(document));
      await work(tx, document);
      tx.record({ action, subjectId: id, summary: document.title });
      return presentDocument(await this.documents.view(tx, caller, id));
    });
  }
}
