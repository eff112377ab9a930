import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type Position } from '../../platform/database/paging/cursor-codec.js';
import { TenantRepository } from '../../platform/database/transactions/tenant-repository.js';
import { type TenantTransaction } from '../../platform/database/transactions/tenant-transaction.js';
import { RoleEntity } from '../../platform/tenancy/access/role.entity.js';

@Injectable()
export class RolesRepository extends TenantRepository<RoleEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, RoleEntity);
  }

  list(tx: TenantTransaction, after: Position | null, limit: number): Promise<RoleEntity[]> {
    const afterPosition = after ? 'AND (r.name_key COLLATE "und-x-icu", r.id) > ($3::text, $4::uuid)' : '';
    return tx.query<RoleEntity>(
      `SELECT ${this.select('r')} FROM roles r WHERE r.tenant_id = $1 ${afterPosition}
        ORDER BY r.name_key COLLATE "und-x-icu", r.id LIMIT $2`,
      [tx.tenantId, limit + 1, ...(after ?? [])],
    );
  }
}
