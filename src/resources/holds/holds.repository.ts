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

  async release(tx: TenantTransaction, id: string): Promise<HoldEntity> {
    const [row] = await tx.query<HoldEntity>(
      `UPDATE holds h SET status = 'Released', released_at = now() WHERE h.tenant_id = $1 AND h.id = $2
       RETURNING ${this.select('h')}`,
      [tx.tenantId, id],
    );
    return row as HoldEntity;
  }
}
