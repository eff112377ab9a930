import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { TenantRepository } from '../../platform/database/transactions/tenant-repository.js';
import { RoleEntity } from '../../platform/tenancy/access/role.entity.js';

@Injectable()
export class RolesRepository extends TenantRepository<RoleEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, RoleEntity, { sortedBy: 'nameKey' });
  }
}
