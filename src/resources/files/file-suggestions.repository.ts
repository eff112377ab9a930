import { Injectable } from '@nestjs/common';
import { byKey } from '../../platform/database/paging/by-key.js';
import { NEWEST_FIRST } from '../../platform/database/paging/list-order.js';
import { nameKey } from '../../common/text.js';
import { SqlParameters } from '../../platform/database/sql-parameters.js';
import { type TenantTransaction } from '../../platform/database/transactions/tenant-transaction.js';
import { type Caller } from '../../platform/tenancy/access/caller.js';
import { visibleFilePage, visibleFiles } from '../../platform/tenancy/access/visibility.js';
import { fileSearchCondition } from './file-search.js';
import { type FileEntity } from './file.entity.js';

export type SuggestedFile = Pick<FileEntity, 'id' | 'number' | 'name'>;

/** Maximum number of rows that each statement reads, so that its time does not grow with the tenant. */
const READ = {
  numbers: 200,
  newest: 500,
  /** Of a caller with grants, whose grants are read one by one. */
  newestOfGrants: 100,
};

/** Finds visible files for a text that a user types. */
@Injectable()
export class FileSuggestionsRepository {
  /** Files whose number begins with `q`, shortest number first. */
  withNumber(tx: TenantTransaction, caller: Caller, q: string, limit: number): Promise<SuggestedFile[]> {
    const values = new SqlParameters(tx.tenantId, nameKey(q), limit);
    const visible = visibleFiles(caller, 'f', values.bind);
    return tx.query(
      `SELECT f.id, f.number, f.name
         FROM (SELECT f.id, f.file_type_id, f.number, f.number_key, f.name FROM files f
                WHERE f.tenant_id = $1 AND f.number_key >= $2 ORDER BY f.number_key LIMIT ${READ.numbers}) f
        WHERE starts_with(f.number_key, $2) AND ${visible}
        ORDER BY length(f.number_key), f.number_key LIMIT $3`,
      values.list,
      { planEachTime: true },
    );
  }

  /** The newest files that have `q` in number or name, as a search for it. */
  newest(tx: TenantTransaction, caller: Caller, q: string, limit: number): Promise<SuggestedFile[]> {
    const values = new SqlParameters(tx.tenantId, limit);
    const { bind } = values;
    const rows = bind(caller.has('files.read') ? READ.newest : READ.newestOfGrants);
    const newest = visibleFilePage(caller, bind, {
      columns: 'f.id, f.created_at AS "createdAt"',
      ...{ from: 'files', conditions: [], order: NEWEST_FIRST, after: null, limit: rows },
    });
    return tx.query(
      `SELECT f.id, f.number, f.name
         FROM (${newest}) n
        ${byKey('files', 'f', 'n.id')}
        WHERE ${fileSearchCondition(q, 'f', bind) ?? 'false'}
        ORDER BY n."createdAt" DESC, n.id DESC LIMIT $2`,
      values.list,
      { planEachTime: true },
    );
  }
}
