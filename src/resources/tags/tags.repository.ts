import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { TenantRepository } from '../../platform/database/transactions/tenant-repository.js';
import { type TenantTransaction } from '../../platform/database/transactions/tenant-transaction.js';
import { TagEntity } from './tag.entity.js';

@Injectable()
export class TagsRepository extends TenantRepository<TagEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, TagEntity, { sortedBy: 'nameKey' });
  }

  async findExistingIds(tx: TenantTransaction, ids: readonly string[]): Promise<Set<string>> {
    if (ids.length === 0) return new Set();
    const rows = await this.run<{ id: string }>(tx, 'existing', { ids }, () =>
      this.rows().select('t.id', 'id').andWhere('t.id = ANY (:ids::uuid[])'),
    );
    return new Set(rows.map(({ id }) => id));
  }
}
