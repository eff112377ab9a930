import { Injectable } from '@nestjs/common';
import { newId } from '../../common/identifier.js';
import { type Page } from '../../common/page.js';
import { notFound } from '../../common/problem.js';
import { caseFold } from '../../common/text.js';
import { PagedReads } from '../../platform/database/paging/paged-reads.js';
import { type WriteTransaction } from '../../platform/database/transactions/tenant-transaction.js';
import { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import { type PageQuery } from '../../platform/http/input/page-query.js';
import { type Caller } from '../../platform/tenancy/access/caller.js';
import { type TagEntity } from './tag.entity.js';
import { type CreateTagBody, type RenameTagBody, type TagResponse, presentTag } from './tags.dto.js';
import { TagsRepository } from './tags.repository.js';

@Injectable()
export class TagsService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly tags: TagsRepository,
    private readonly pages: PagedReads,
  ) {}

  list(caller: Caller, page: PageQuery): Promise<Page<TagResponse>> {
    return this.pages.page(caller, { operation: 'ListTags' }, page, {
      rows: (tx, after, limit) => this.tags.list(tx, after, limit),
      position: (row) => [row.nameKey, row.id],
      present: presentTag,
    });
  }

  create(caller: Caller, { name }: CreateTagBody): Promise<TagResponse> {
    return this.uow.write(caller, async (tx) => {
      const tag = await this.tags.insert(tx, { id: newId(), name, nameKey: caseFold(name) });
      tx.record({ action: 'TagCreated', subjectId: tag.id, summary: name });
      return presentTag(tag);
    });
  }

  get(caller: Caller, id: string): Promise<TagResponse> {
    return this.uow.read(caller, async (tx) => {
      const tag = await this.tags.find(tx, id);
      if (!tag) throw notFound();
      return presentTag(tag);
    });
  }

  rename(caller: Caller, id: string, { name }: RenameTagBody): Promise<TagResponse> {
    return this.uow.write(caller, async (tx) => {
      const tag = await this.lock(tx, id);
      // Compared as written, not folded: another case of the same name is a change, and clashes with nothing.
      if (tag.name === name) return presentTag(tag);
      const renamed = await this.tags.update(tx, id, { name, nameKey: caseFold(name) });
      tx.record({ action: 'TagRenamed', subjectId: id, summary: `${tag.name} → ${name}` });
      return presentTag(renamed);
    });
  }

  /**
   * Takes the tag off all documents (by the foreign key), those in closed files, archived ones and the bin included:
   * closing protects a document from being worked on, but the words to mark documents with are the tenant's. Were it
   * otherwise, one closed file would keep a tag for ever, and who may not see that file could not learn why. The
   * documents' own history stays silent, for nobody changed them; the one entry names the tag and no documents,
   * whose number alone could tell of confidential ones.
   */
  async delete(caller: Caller, id: string): Promise<void> {
    await this.uow.write(caller, async (tx) => {
      const tag = await this.lock(tx, id);
      await this.tags.delete(tx, id);
      tx.record({ action: 'TagDeleted', subjectId: id, summary: tag.name });
    });
  }

  private async lock(tx: WriteTransaction, id: string): Promise<TagEntity> {
    const tag = await this.tags.lock(tx, id);
    await tx.expectRepresentation(() => presentTag(tag));
    return tag;
  }
}
