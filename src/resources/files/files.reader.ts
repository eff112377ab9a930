import { Injectable } from '@nestjs/common';
import { type TenantTransaction } from '../../platform/database/transactions/tenant-transaction.js';
import { type Caller } from '../../platform/tenancy/access/caller.js';
import { type FileRow, FilesRepository } from './files.repository.js';

@Injectable()
export class FilesReader {
  constructor(private readonly files: FilesRepository) {}

  findVisibleIds(tx: TenantTransaction, caller: Caller, ids: readonly string[]): Promise<Set<string>> {
    return this.files.findVisibleIds(tx, caller, ids);
  }

  /** Files that a search by number and name finds, newest first. */
  async find(tx: TenantTransaction, caller: Caller, q: string, limit: number): Promise<FileRow[]> {
    return (await this.files.list(tx, caller, { q }, null, limit)).slice(0, limit);
  }
}
