import { Injectable } from '@nestjs/common';
import { notFound } from '../common/problem.js';
import { type WriteTransaction } from '../database/tenant-transaction.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { type Caller } from '../tenancy/caller.js';
import { DocumentLinksRepository, type TargetTag } from './document-links.repository.js';
import { recordTagged, recordUntagged } from './document-records.js';
import { DocumentRules } from './document-rules.js';
import { DocumentsRepository } from './documents.repository.js';

/** Tags on documents. Tags themselves belong to another room. */
@Injectable()
export class DocumentTaggingService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly documents: DocumentsRepository,
    private readonly links: DocumentLinksRepository,
    private readonly rules: DocumentRules,
  ) {}

  async tag(caller: Caller, documentId: string, tagId: string): Promise<void> {
    await this.uow.write(caller, async (tx) => {
      const document = await this.documents.lockVisible(tx, caller, documentId);
      const tag = await this.lockTag(tx, tagId);
      await this.rules.editable(tx, document);
      if (document.tagIds.includes(tagId)) return;
      await this.links.addTags(tx, documentId, [tagId]);
      await this.documents.touch(tx, documentId);
      recordTagged(tx, document, tag);
    });
  }

  async untag(caller: Caller, documentId: string, tagId: string): Promise<void> {
    await this.uow.write(caller, async (tx) => {
      const document = await this.documents.lockVisible(tx, caller, documentId);
      const tag = await this.lockTag(tx, tagId);
      if (!document.tagIds.includes(tagId)) throw notFound();
      await this.rules.editable(tx, document);
      await this.links.removeTag(tx, documentId, tagId);
      await this.documents.touch(tx, documentId);
      recordUntagged(tx, document, tag);
    });
  }

  private async lockTag(tx: WriteTransaction, tagId: string): Promise<TargetTag> {
    const [tag] = await this.links.lockTags(tx, [tagId]);
    if (!tag) throw notFound();
    return tag;
  }
}
