import { Injectable } from '@nestjs/common';
import { type TenantTransaction } from '../../platform/database/transactions/tenant-transaction.js';
import { type Caller } from '../../platform/tenancy/access/caller.js';
import { FileSuggestionsRepository, type SuggestedFile } from './file-suggestions.repository.js';
import { FilesRepository } from './files.repository.js';

@Injectable()
export class FilesReader {
  constructor(
    private readonly files: FilesRepository,
    private readonly suggestions: FileSuggestionsRepository,
  ) {}

  findVisibleIds(tx: TenantTransaction, caller: Caller, ids: readonly string[]): Promise<Set<string>> {
    return this.files.findVisibleIds(tx, caller, ids);
  }

  /** Visible files whose number begins with `q`, then the newest ones that have it in number or name. */
  async suggest(tx: TenantTransaction, caller: Caller, q: string, limit: number): Promise<SuggestedFile[]> {
    const byNumber = await this.suggestions.withNumber(tx, caller, q, limit);
    const newest = await this.suggestions.newest(tx, caller, q, limit);
    const known = new Set(byNumber.map(({ id }) => id));
    return [...byNumber, ...newest.filter(({ id }) => !known.has(id))].slice(0, limit);
  }
}
