import { Injectable } from '@nestjs/common';
import { type TenantTransaction } from '../../platform/database/transactions/tenant-transaction.js';
import { TagsRepository } from './tags.repository.js';

@Injectable()
export class TagsReader {
  constructor(private readonly tags: TagsRepository) {}

  findExistingIds(tx: TenantTransaction, ids: readonly string[]): Promise<Set<string>> {
    return this.tags.findExistingIds(tx, ids);
  }
}
