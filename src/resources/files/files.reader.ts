import { Injectable } from '@nestjs/common';
import { type Page } from '../../common/page.js';
import { nameKey } from '../../common/text.js';
import { SqlParameters } from '../../platform/database/sql-parameters.js';
import { type Statement } from '../../platform/database/transactions/tenant-batch.js';
import { type TenantTransaction } from '../../platform/database/transactions/tenant-transaction.js';
import { type Caller } from '../../platform/tenancy/access/caller.js';
import { visibleFiles } from '../../platform/tenancy/access/visibility.js';
import { FileSuggestionsRepository, type SuggestedFile } from './file-suggestions.repository.js';
import { type FileResponse, type ListFilesQuery } from './files.dto.js';
import { FilesService } from './files.service.js';

export { type FileResponse };

@Injectable()
export class FilesReader {
  constructor(
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

  async findVisibleIds(tx: TenantTransaction, caller: Caller, ids: readonly string[]): Promise<Set<string>> {
    const values = new SqlParameters(tx.tenantId, ids);
    const visible = visibleFiles(caller, 'f', values.bind);
    const rows = await tx.query<{ id: string }>(
      `SELECT f.id FROM files f WHERE f.tenant_id = $1 AND f.id = ANY ($2::uuid[]) AND ${visible}`,
      values.list,
    );
    return new Set(rows.map(({ id }) => id));
  }

  /** Statement for the visible files with one of these numbers: `id`, and the `index` of the number. */
  withNumbersStatement(caller: Caller, numbers: readonly string[]): Statement {
    const values = new SqlParameters(caller.tenantId, numbers.map(nameKey));
    return {
      text: `SELECT f.id, n.place::int - 1 AS index
               FROM unnest($2::text[]) WITH ORDINALITY AS n (key, place)
               JOIN files f ON f.tenant_id = $1 AND f.number_key = n.key
              WHERE f.tenant_id = $1 AND ${visibleFiles(caller, 'f', values.bind)}`,
      values: values.list,
    };
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
