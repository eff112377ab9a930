import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Problem, orNotFound } from '../../common/problem.js';
import { byKey } from '../../platform/database/paging/by-key.js';
import { type Position } from '../../platform/database/paging/cursor-codec.js';
import { type ListOrder, NEWEST_FIRST } from '../../platform/database/paging/list-order.js';
import { SqlParameters } from '../../platform/database/sql-parameters.js';
import { type Condition } from '../../platform/database/transactions/database-layout.js';
import { TenantRepository } from '../../platform/database/transactions/tenant-repository.js';
import { type TenantTransaction } from '../../platform/database/transactions/tenant-transaction.js';
import { type PageQuery } from '../../platform/http/input/page-query.js';
import { membersOf } from '../../platform/http/response/members-of.js';
import { type Caller } from '../../platform/tenancy/access/caller.js';
import { visibleDocuments, visibleFilePage, visibleFiles } from '../../platform/tenancy/access/visibility.js';
import { isNumberOfDestroyed } from '../disposals/disposals.reader.js';
import { heldFile } from '../holds/held.reader.js';
import { fileSearchCondition } from './file-search.js';
import { type FILE_ORDERS } from './file-sorts.js';
import { type FileStatus, FileEntity } from './file.entity.js';
import { FileResponse, type ListFilesQuery } from './files.dto.js';

export type FileFilter = Omit<ListFilesQuery, keyof PageQuery | 'include' | 'sort'>;

/** The starts are inclusive, the ends are exclusive. */
const TIME_FILTERS = [
  ['createdFrom', 'created_at >='],
  ['createdTo', 'created_at <'],
  ['closedFrom', 'closed_at >='],
  ['closedTo', 'closed_at <'],
] as const;

export type NewFile = Pick<
  FileEntity,
  'id' | 'fileTypeId' | 'number' | 'numberKey' | 'name' | 'searchText' | 'searchStarts' | 'createdBy'
>;

type FileOrder = ListOrder<keyof typeof FILE_ORDERS>;

const OPEN = 'Open';

/** Position of a file in a list. */
export function positionOf({ key }: FileOrder, file: FileResponse): Position {
  const value = file[key];
  return value === null ? [file.createdAt, file.id, OPEN] : [value, file.id];
}

/** For the insertion of a file, which may wait until a disposal has destroyed the file that had the number. */
export function isNumberFree(numberKey: string): Condition {
  return { text: `NOT ${isNumberOfDestroyed('$3')}`, values: [numberKey] };
}

@Injectable()
export class FilesRepository extends TenantRepository<FileEntity, FileResponse> {
  private readonly rowColumns: string;

  constructor(dataSource: DataSource) {
    const properties = membersOf(FileResponse);
    super(dataSource, FileEntity, { properties });
    this.rowColumns = this.select('f', properties);
  }

  /** Returns null if a file has the number. An unknown type violates a constraint. */
  async insertOrNull(tx: TenantTransaction, file: NewFile): Promise<FileResponse | null> {
    // Asks after the insertion, which may have waited until a disposal destroyed the file that had the number.
    const [[row], [taken]] = await tx.queryAll<[FileResponse, { is: boolean }]>([
      this.insertStatement(tx, file, { ifAbsent: true }),
      { text: `SELECT ${isNumberOfDestroyed('$2')} AS is`, values: [tx.tenantId, file.numberKey] },
    ]);
    if (row && taken?.is) throw new Problem('file.number-taken');
    return row ?? null;
  }

  async list(
    tx: TenantTransaction,
    caller: Caller,
    filter: FileFilter,
    order: FileOrder,
    after: Position | null,
    limit: number,
  ): Promise<FileResponse[]> {
    if (order.key !== 'closedAt') return this.page(tx, caller, filter, [], order, after, limit);
    // Open files have no time of closing. They follow the others, newest first.
    const isAmongOpen = after?.[2] === OPEN;
    const closed = isAmongOpen
      ? []
      : await this.page(tx, caller, filter, ['f.closed_at IS NOT NULL'], order, after, limit);
    if (closed.length > limit || filter.status === 'Closed') return closed;
    const afterOpen = isAmongOpen ? after : null;
    const rest = limit - closed.length;
    return [
      ...closed,
      ...(await this.page(tx, caller, filter, [`f.status = 'Open'`], NEWEST_FIRST, afterOpen, rest)),
    ];
  }

  private page(
    tx: TenantTransaction,
    caller: Caller,
    filter: FileFilter,
    further: readonly string[],
    order: ListOrder<keyof FileResponse>,
    after: Position | null,
    limit: number,
  ): Promise<FileResponse[]> {
    const values = new SqlParameters(tx.tenantId);
    const { bind } = values;
    const conditions = [...further];
    if (filter.fileTypeId) conditions.push(`f.file_type_id = ${bind(filter.fileTypeId)}`);
    if (filter.status) conditions.push(`f.status = ${bind(filter.status)}`);
    const search = fileSearchCondition(filter.q, 'f', bind);
    if (search) conditions.push(search);
    for (const [time, comparison] of TIME_FILTERS)
      if (filter[time]) conditions.push(`f.${comparison} ${bind(filter[time])}::timestamptz`);
    // Searches use the view, which allows more indexes, and are planned for each search text.
    const from = search ? 'files_search' : 'files';
    const list = { columns: this.rowColumns, from, conditions, order, after, limit: bind(limit + 1) };
    return tx.query<FileResponse>(visibleFilePage(caller, bind, list), values.list, {
      planEachTime: search !== null || order.key !== 'createdAt',
    });
  }

  /** Number of the documents in each file that the caller sees, without the bin, up to `most`. */
  async countDocuments(
    tx: TenantTransaction,
    caller: Caller,
    ids: readonly string[],
    most: number,
  ): Promise<Map<string, number>> {
    const values = new SqlParameters(tx.tenantId, ids);
    const { bind } = values;
    const condition = `d.status <> 'Deleted' AND ${visibleDocuments(caller, 'd', bind)}`;
    const rows = await tx.query<{ id: string; count: number }>(
      `SELECT f.id, (SELECT count(*)::int
                       FROM (SELECT FROM document_files df ${byKey('documents', 'd', 'df.document_id', { condition })}
                              WHERE df.tenant_id = $1 AND df.file_id = f.id LIMIT ${bind(most)}) counted) AS count
         FROM unnest($2::uuid[]) AS f (id)`,
      values.list,
    );
    return new Map(rows.map(({ id, count }) => [id, count]));
  }

  findVisible(tx: TenantTransaction, caller: Caller, id: string): Promise<FileResponse | null> {
    const values = new SqlParameters(tx.tenantId, id);
    const visible = visibleFiles(caller, 'f', values.bind);
    return tx.queryOrNull<FileResponse>(
      `SELECT ${this.rowColumns} FROM files f WHERE f.tenant_id = $1 AND f.id = $2 AND ${visible}`,
      values.list,
    );
  }

  lockVisibleOrNull(tx: TenantTransaction, caller: Caller, id: string): Promise<FileResponse | null> {
    const values = new SqlParameters(tx.tenantId, id);
    const visible = visibleFiles(caller, 'f', values.bind);
    return tx.queryOrNull<FileResponse>(
      `SELECT ${this.rowColumns} FROM files f
        WHERE f.tenant_id = $1 AND f.id = $2 AND ${visible} FOR NO KEY UPDATE OF f`,
      values.list,
    );
  }

  async setStatus(
    tx: TenantTransaction,
    id: string,
    status: FileStatus,
  ): Promise<FileResponse & Pick<FileEntity, 'createdBy'>> {
    const closedAt = status === 'Closed' ? 'now()' : 'NULL';
    const [row] = await tx.query<FileResponse & Pick<FileEntity, 'createdBy'>>(
      `UPDATE files f SET status = $3, closed_at = ${closedAt}, updated_at = now()
        WHERE f.tenant_id = $1 AND f.id = $2 RETURNING ${this.rowColumns}, f.created_by AS "createdBy"`,
      [tx.tenantId, id, status],
    );
    return orNotFound(row);
  }

  /** The file must be locked. */
  async isHeld(tx: TenantTransaction, id: string): Promise<boolean> {
    const [row] = await tx.query<{ isHeld: boolean }>(`SELECT ${heldFile('$2')} AS "isHeld"`, [
      tx.tenantId,
      id,
    ]);
    return row?.isHeld === true;
  }

  /**
   * Takes the file (locked) out of a disposal that is not approved. Returns the disposal, null if it is in none. Throws the
   * 409 if the disposal is approved.
   */
  async takeOutOfDisposal(
    tx: TenantTransaction,
    id: string,
  ): Promise<{ readonly id: string; readonly name: string } | null> {
    const values = [tx.tenantId, id];
    const unfinished = 'o.tenant_id = $1 AND o.file_id = $2 AND o.is_unfinished';
    const [, [disposal]] = await tx.queryAll<[object, { id: string; name: string; status: string }]>([
      {
        text: `SELECT FROM disposals d WHERE d.tenant_id = $1 AND d.id = (
                 SELECT o.disposal_id FROM disposal_files o WHERE ${unfinished}) FOR NO KEY UPDATE`,
        values,
      },
      {
        text: `SELECT d.id, d.name, d.status FROM disposals d WHERE d.tenant_id = $1 AND d.id = (
                 SELECT o.disposal_id FROM disposal_files o WHERE ${unfinished})`,
        values,
      },
    ]);
    if (!disposal) return null;
    if (disposal.status === 'Approved') throw new Problem('disposal.running');
    await tx.query(`DELETE FROM disposal_files o WHERE ${unfinished}`, values);
    return disposal;
  }

  async hasProcessingDocuments(tx: TenantTransaction, id: string): Promise<boolean> {
    const rows = await tx.query(
      `SELECT FROM document_files df JOIN documents d ON d.tenant_id = df.tenant_id AND d.id = df.document_id
        WHERE df.tenant_id = $1 AND d.tenant_id = $1 AND df.file_id = $2 AND d.status = 'Processing' LIMIT 1`,
      [tx.tenantId, id],
    );
    return rows.length > 0;
  }
}
