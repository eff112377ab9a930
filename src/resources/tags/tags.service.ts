import { Injectable } from '@nestjs/common';
import { newId } from '../../common/identifier.js';
import { type Page } from '../../common/page.js';
import { nameKey, normalizeName } from '../../common/text.js';
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
    return this.pages.list(caller, 'ListTags', page, this.tags, presentTag);
  }

  create(caller: Caller, { name }: CreateTagBody): Promise<TagResponse> {
    return this.uow.write(caller, async (tx) => {
      const tag = await this.tags.insert(tx, { id: newId(), name, nameKey: nameKey(name) });
      tx.record({ action: 'TagCreated', subjectId: tag.id, summary: name });
      return presentTag(tag);
    });
  }

  get(caller: Caller, id: string): Promise<TagResponse> {
    return this.uow.read(caller, async (tx) => presentTag(await this.tags.get(tx, id)));
  }

  rename(caller: Caller, id: string, { name }: RenameTagBody): Promise<TagResponse> {
    return this.uow.write(caller, async (tx) => {
      const tag = await this.lock(tx, id);
      // Compares the exact names: a change of case is a change, and it conflicts with no other tag.
      if (normalizeName(tag.name) === name) return presentTag(tag);
      const renamed = await this.tags.update(tx, id, { name, nameKey: nameKey(name) });
      tx.record({ action: 'TagRenamed', subjectId: id, summary: `${tag.name} → ${name}` });
      return presentTag(renamed);
    });
  }

  /**
   * Deletes the tag; the foreign key removes it from all documents, including archived ones and those in
   * closed files and in the bin. Closing protects documents from editing, but tags belong to the tenant.
   * Otherwise, one closed file could block the deletion forever, and a caller who cannot see that file could
   * not find out why. Documents get no audit entry, because no user changed them. The single entry names only
   * the tag: the number of documents could reveal confidential ones.
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
