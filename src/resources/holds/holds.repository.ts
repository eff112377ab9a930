import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { TenantRepository } from '../../platform/database/transactions/tenant-repository.js';
import { type TenantTransaction } from '../../platform/database/transactions/tenant-transaction.js';
import { HoldEntity } from './hold.entity.js';

@Injectable()
export class HoldsRepository extends TenantRepository<HoldEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, HoldEntity);
  }

  release(tx: TenantTransaction, id: string): Promise<HoldEntity> {
    return this.update(tx, id, { status: 'Released', releasedAt: () => 'now()' });
  }
}
