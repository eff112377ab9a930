import { Injectable } from '@nestjs/common';
import { type Page } from '../../common/page.js';
import { type TenantTransaction } from '../../platform/database/transactions/tenant-transaction.js';
import { type PageQuery } from '../../platform/http/input/page-query.js';
import { type Caller } from '../../platform/tenancy/access/caller.js';
import { type TagResponse } from './tags.dto.js';
import { TagsRepository } from './tags.repository.js';
import { TagsService } from './tags.service.js';

@Injectable()
export class TagsReader {
  constructor(
    private readonly tags: TagsRepository,
    private readonly service: TagsService,
  ) {}

  list(caller: Caller, page: PageQuery): Promise<Page<TagResponse>> {
    return this.service.list(caller, page);
  }

  findExistingIds(tx: TenantTransaction, ids: readonly string[]): Promise<Set<string>> {
    return this.tags.findExistingIds(tx, ids);
  }
}
