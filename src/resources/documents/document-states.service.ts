import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import { type Caller } from '../../platform/tenancy/access/caller.js';
import { DocumentChanges } from './changes/document-changes.js';
import { afterStateChange } from './contents/word-changes.repository.js';
import { type DocumentResponse, presentDocument } from './document-response.dto.js';
import { DocumentsRepository } from './documents.repository.js';

/**
 * Changes the state of documents: Active ↔ Archived; Active or Archived → Deleted and back to the previous
 * state.
 */
@Injectable()
export class DocumentStatesService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly documents: DocumentsRepository,
    private readonly changes: DocumentChanges,
  ) {}

  archive(caller: Caller, id: string): Promise<DocumentResponse> {
    return this.change(caller, id, 'Archive');
  }

  unarchive(caller: Caller, id: string): Promise<DocumentResponse> {
    return this.change(caller, id, 'Unarchive');
  }

  async delete(caller: Caller, id: string): Promise<void> {
    await this.change(caller, id, 'Delete');
  }

  /** The document still has its links and values. */
  restore(caller: Caller, id: string): Promise<DocumentResponse> {
    return this.change(caller, id, 'Restore');
  }

  private change(
    caller: Caller,
    id: string,
    action: 'Archive' | 'Unarchive' | 'Delete' | 'Restore',
  ): Promise<DocumentResponse> {
    return this.uow.write(caller, async (tx) => {
      const document = await this.documents.lockVisible(tx, caller, id);
      await tx.expectRepresentation(() => presentDocument(document));
      await this.changes.applyTo(tx, { action }, document);
      await afterStateChange(tx, action, [id]);
      return presentDocument(await this.documents.view(tx, caller, id));
    });
  }
}
