import { Injectable } from '@nestjs/common';
import { type TenantTransaction } from '../../platform/database/transactions/tenant-transaction.js';
import { TagsRepository } from './tags.repository.js';

/** What other resources ask about tags. */
@Injectable()
export class TagsReader {
  constructor(private readonly tags: TagsRepository) {}

  /** Those of the ids that name a tag of the tenant. */
  existingAmong(tx: TenantTransaction, ids: readonly string[]): Promise<Set<string>> {
    return this.tags.existingAmong(tx, ids);
  }
}
