import { Injectable } from '@nestjs/common';
import { invalidValue } from '../../common/problem.js';
import { type TenantTransaction } from '../../platform/database/transactions/tenant-transaction.js';
import { type RoleEntity } from '../../platform/tenancy/access/role.entity.js';
import { RolesRepository } from './roles.repository.js';

/** What other resources ask about roles. */
@Injectable()
export class RolesReader {
  constructor(private readonly roles: RolesRepository) {}

  /**
   * The role that a body names, kept as it is until the commit; a 400 at `path` when the tenant has no such role.
   * For `refuseEscalation`, which comes next wherever a role is given to somebody.
   */
  async getReferenced(tx: TenantTransaction, id: string, path = 'roleId'): Promise<RoleEntity> {
    const role = await this.roles.find(tx, id);
    if (!role) throw invalidValue(path, 'reference.role');
    return role;
  }

  /** What the role allows now; nothing once it is gone. */
  async permissionsOf(tx: TenantTransaction, id: string): Promise<readonly string[]> {
    return (await this.roles.find(tx, id))?.permissions ?? [];
  }
}
