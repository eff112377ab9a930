import { Injectable } from '@nestjs/common';
import { notFound, orNotFound } from '../../../common/problem.js';
import { type WriteTransaction } from '../../../platform/database/transactions/tenant-transaction.js';
import { UnitOfWork } from '../../../platform/database/transactions/unit-of-work.js';
import { type Caller } from '../../../platform/tenancy/access/caller.js';
import { DocumentChanges } from '../changes/document-changes.js';
import { DocumentLinksRepository, type TargetTag } from '../changes/document-links.repository.js';
import { DocumentsRepository } from '../documents.repository.js';

@Injectable()
export class DocumentTaggingService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly documents: DocumentsRepository,
    private readonly links: DocumentLinksRepository,
    private readonly changes: DocumentChanges,
  ) {}

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

  private async lockTag(tx: WriteTransaction, tagId: string): Promise<TargetTag> {
    const [tag] = await this.links.lockTags(tx, [tagId]);
    return orNotFound(tag);
  }
}
