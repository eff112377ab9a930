import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type Position } from '../../platform/database/paging/cursor-codec.js';
import { TenantRepository } from '../../platform/database/transactions/tenant-repository.js';
import { type TenantTransaction } from '../../platform/database/transactions/tenant-transaction.js';
import { TagEntity } from './tag.entity.js';

@Injectable()
export class TagsRepository extends TenantRepository<TagEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, TagEntity);
  }

  list(tx: TenantTransaction, after: Position | null, limit: number): Promise<TagEntity[]> {
    const afterPosition = after ? 'AND (t.name_key COLLATE "und-x-icu", t.id) > ($3::text, $4::uuid)' : '';
    return tx.query<TagEntity>(
      `SELECT ${this.select('t')} FROM tags t WHERE t.tenant_id = $1 ${afterPosition}
        ORDER BY t.name_key COLLATE "und-x-icu", t.id LIMIT $2`,
      [tx.tenantId, limit + 1, ...(after ?? [])],
    );
  }

  async findExistingIds(tx: TenantTransaction, ids: readonly string[]): Promise<Set<string>> {
    if (ids.length === 0) return new Set();
    const rows = await tx.query<{ id: string }>(
      'SELECT t.id FROM tags t WHERE t.tenant_id = $1 AND t.id = ANY ($2::uuid[])',
      [tx.tenantId, ids],
    );
    return new Set(rows.map(({ id }) => id));
  }
}
