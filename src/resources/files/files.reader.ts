import { Injectable } from '@nestjs/common';
import { type Page } from '../../common/page.js';
import { type Statement } from '../../platform/database/transactions/tenant-batch.js';
import { type TenantTransaction } from '../../platform/database/transactions/tenant-transaction.js';
import { type Caller } from '../../platform/tenancy/access/caller.js';
import { FileSuggestionsRepository, type SuggestedFile } from './file-suggestions.repository.js';
import { type FileResponse, type ListFilesQuery } from './files.dto.js';
import { FilesRepository } from './files.repository.js';
import { FilesService } from './files.service.js';

export { type FileResponse };

@Injectable()
export class FilesReader {
  constructor(
    private readonly files: FilesRepository,
    private readonly suggestions: FileSuggestionsRepository,
    private readonly service: FilesService,
  ) {}

  list(caller: Caller, query: ListFilesQuery): Promise<Page<FileResponse>> {
    return this.service.list(caller, query);
  }

  /** Throws the 404 if the caller cannot see the file. */
  get(caller: Caller, id: string): Promise<FileResponse> {
    return this.service.get(caller, id, {});
  }

  findVisibleIds(tx: TenantTransaction, caller: Caller, ids: readonly string[]): Promise<Set<string>> {
    return this.files.findVisibleIds(tx, caller, ids);
  }

  /** Statement for the visible files with one of these numbers: `id`, and the `index` of the number. */
  withNumbersStatement(caller: Caller, numbers: readonly string[]): Statement {
    return this.files.withNumbersStatement(caller, numbers);
  }

  /** See {@link FilesService.countDocuments}. */
  countDocuments(...counted: Parameters<FilesService['countDocuments']>): Promise<Map<string, number>> {
    return this.service.countDocuments(...counted);
  }

  /** Visible files whose number begins with `q`, then the newest ones that have it in number or name. */
  async suggest(tx: TenantTransaction, caller: Caller, q: string, limit: number): Promise<SuggestedFile[]> {
    const byNumber = await this.suggestions.withNumber(tx, caller, q, limit);
    const newest = await this.suggestions.newest(tx, caller, q, limit);
    const known = new Set(byNumber.map(({ id }) => id));
    return [...byNumber, ...newest.filter(({ id }) => !known.has(id))].slice(0, limit);
  }
}
