import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type Position } from '../../platform/database/paging/cursor-codec.js';
import { TenantRepository } from '../../platform/database/transactions/tenant-repository.js';
import { type TenantTransaction } from '../../platform/database/transactions/tenant-transaction.js';
import { FileTypeEntity } from './file-type.entity.js';

@Injectable()
export class FileTypesRepository extends TenantRepository<FileTypeEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, FileTypeEntity);
  }

  list(tx: TenantTransaction, after: Position | null, limit: number): Promise<FileTypeEntity[]> {
    const afterPosition = after ? 'AND (t.sort_key COLLATE "und-x-icu", t.id) > ($3::text, $4::uuid)' : '';
    return tx.query<FileTypeEntity>(
      `SELECT ${this.select('t')} FROM file_types t WHERE t.tenant_id = $1 ${afterPosition}
        ORDER BY t.sort_key COLLATE "und-x-icu", t.id LIMIT $2`,
      [tx.tenantId, limit + 1, ...(after ?? [])],
    );
  }
}
