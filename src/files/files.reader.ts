import { Injectable } from '@nestjs/common';
import { notFound } from '../common/problem.js';
import { type TenantTransaction } from '../database/tenant-transaction.js';
import { type Caller } from '../tenancy/caller.js';
import { FilesRepository, type FileRow } from './files.repository.js';

/** What other resources ask about files. */
@Injectable()
export class FilesReader {
  constructor(private readonly files: FilesRepository) {}

  /** The file as the caller sees it; the 404 otherwise. */
  async getVisible(tx: TenantTransaction, caller: Caller, id: string): Promise<FileRow> {
    const file = await this.files.findVisible(tx, caller, id);
    if (!file) throw notFound();
    return file;
  }

  /** Those of the ids that name a file which the caller sees. */
  visibleAmong(tx: TenantTransaction, caller: Caller, ids: readonly string[]): Promise<Set<string>> {
    return this.files.visibleAmong(tx, caller, ids);
  }
}
