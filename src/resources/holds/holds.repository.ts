import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { TenantRepository } from '../../platform/database/transactions/tenant-repository.js';
import { type TenantTransaction } from '../../platform/database/transactions/tenant-transaction.js';
import { membersOf } from '../../platform/http/response/members-of.js';
import { HoldEntity } from './hold.entity.js';
import { HoldResponse } from './holds.dto.js';

@Injectable()
export class HoldsRepository extends TenantRepository<HoldEntity, HoldResponse> {
  constructor(dataSource: DataSource) {
    super(dataSource, HoldEntity, { properties: membersOf(HoldResponse) });
  }

  release(tx: TenantTransaction, id: string): Promise<HoldResponse> {
    return this.update(tx, id, { status: 'Released', releasedAt: () => 'now()' });
  }
}
