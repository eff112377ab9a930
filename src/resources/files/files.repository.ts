import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type Position } from '../../platform/database/paging/cursor-codec.js';
import { SqlParameters } from '../../platform/database/sql-parameters.js';
import { TenantRepository } from '../../platform/database/transactions/tenant-repository.js';
import { type TenantTransaction } from '../../platform/database/transactions/tenant-transaction.js';
import { type Caller } from '../../platform/tenancy/access/caller.js';
import { visibleFilePage, visibleFiles } from '../../platform/tenancy/access/visibility.js';
import { heldFile } from '../holds/held.reader.js';
import { fileSearchCondition } from './file-search.js';
import { type FileStatus, FileEntity } from './file.entity.js';

export type FileRow = Pick<
  FileEntity,
  'id' | 'fileTypeId' | 'number' | 'name' | 'status' | 'createdAt' | 'updatedAt' | 'closedAt'
>;

export interface FileFilter {
  readonly fileTypeId?: string;
  readonly status?: FileStatus;
  readonly q?: string;
}

@Injectable()
export class FilesRepository extends TenantRepository<FileEntity> {
  private readonly rowColumns: string;

  constructor(dataSource: DataSource) {
    super(dataSource, FileEntity);
    this.rowColumns = this.select('f', [
      'id',
      'fileTypeId',
      'number',
      'name',
      'status',
      'createdAt',
      'updatedAt',
      'closedAt',
    ]);
  }

  /**
   * Returns null if the file type does not exist. One statement checks type and number, so that an unknown
   * type (400) is reported before a taken number (409).
   *
   * @param ifFree returns null, too, if the number is taken, in place of the 409
   */
  async create(
    tx: TenantTransaction,
    file: Pick<
      FileEntity,
      'id' | 'fileTypeId' | 'number' | 'numberKey' | 'name' | 'searchText' | 'searchStarts' | 'createdBy'
    >,
    { ifFree = false }: { readonly ifFree?: boolean } = {},
  ): Promise<FileRow | null> {
    const [row] = await tx.query<FileRow>(
      `INSERT INTO files AS f
         (tenant_id, id, file_type_id, number, number_key, name, search_text, search_starts, created_by)
       SELECT t.tenant_id, $3, t.id, $4, $5, $6, $7, $8, $9
         FROM file_types t WHERE t.tenant_id = $1 AND t.id = $2
       ${ifFree ? 'ON CONFLICT (tenant_id, number_key) DO NOTHING' : ''}
       RETURNING ${this.rowColumns}`,
      [
        tx.tenantId,
        file.fileTypeId,
        file.id,
        file.number,
        file.numberKey,
        file.name,
        file.searchText,
        file.searchStarts,
        file.createdBy,
      ],
    );
    return row ?? null;
  }

  list(
    tx: TenantTransaction,
    caller: Caller,
    filter: FileFilter,
    after: Position | null,
    limit: number,
  ): Promise<FileRow[]> {
    const values = new SqlParameters(tx.tenantId);
    const { bind } = values;
    const conditions = ['f.tenant_id = $1'];
    if (filter.fileTypeId) conditions.push(`f.file_type_id = ${bind(filter.fileTypeId)}`);
    if (filter.status) conditions.push(`f.status = ${bind(filter.status)}`);
    const search = fileSearchCondition(filter.q, 'f', bind);
    if (search) conditions.push(search);
    if (after)
      conditions.push(`(f.created_at, f.id) < (${bind(after[0])}::timestamptz, ${bind(after[1])}::uuid)`);
    const rows = bind(limit + 1);
    // Searches use the view, which allows more indexes, and are planned for each search text.
    const page = (condition: string) =>
      `SELECT ${this.rowColumns} FROM ${search ? 'files_search' : 'files'} f
        WHERE ${[...conditions, condition].join(' AND ')}
        ORDER BY f.created_at DESC, f.id DESC LIMIT ${rows}`;
    return tx.query<FileRow>(visibleFilePage(caller, bind, page, rows), values.list, {
      planEachTime: search !== null,
    });
  }

  async findVisible(tx: TenantTransaction, caller: Caller, id: string): Promise<FileRow | null> {
    const values = new SqlParameters(tx.tenantId, id);
    const visible = visibleFiles(caller, 'f', values.bind);
    const [row] = await tx.query<FileRow>(
      `SELECT ${this.rowColumns} FROM files f WHERE f.tenant_id = $1 AND f.id = $2 AND ${visible}`,
      values.list,
    );
    return row ?? null;
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

  async lockVisible(tx: TenantTransaction, caller: Caller, id: string): Promise<FileEntity | null> {
    const values = new SqlParameters(tx.tenantId, id);
    const visible = visibleFiles(caller, 'f', values.bind);
    const [row] = await tx.query<FileEntity>(
      `SELECT ${this.select('f')} FROM files f
        WHERE f.tenant_id = $1 AND f.id = $2 AND ${visible} FOR NO KEY UPDATE OF f`,
      values.list,
    );
    return row ?? null;
  }

  async setStatus(tx: TenantTransaction, id: string, status: FileStatus): Promise<FileEntity> {
    const closedAt = status === 'Closed' ? 'now()' : 'NULL';
    const [row] = await tx.query<FileEntity>(
      `UPDATE files f SET status = $3, closed_at = ${closedAt}, updated_at = now()
        WHERE f.tenant_id = $1 AND f.id = $2 RETURNING ${this.select('f')}`,
      [tx.tenantId, id, status],
    );
    return row as FileEntity;
  }

  /** The file must be locked. */
  async isHeld(tx: TenantTransaction, id: string): Promise<boolean> {
    const [row] = await tx.query<{ isHeld: boolean }>(`SELECT ${heldFile('$2')} AS "isHeld"`, [
      tx.tenantId,
      id,
    ]);
    return row?.isHeld === true;
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
