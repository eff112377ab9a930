import { Injectable } from '@nestjs/common';
import { type TenantTransaction } from '../../platform/database/transactions/tenant-transaction.js';
import { type Caller } from '../../platform/tenancy/access/caller.js';
import { type DocumentFilter } from '../document-filters/document-filters.reader.js';
import { SavedViewsRepository } from './saved-views.repository.js';

@Injectable()
export class SavedViewsReader {
  constructor(private readonly views: SavedViewsRepository) {}

  async findFilter(tx: TenantTransaction, caller: Caller, id: string): Promise<DocumentFilter | null> {
    return (await this.views.findOf(tx, caller.user.id, id))?.filter ?? null;
  }
}
