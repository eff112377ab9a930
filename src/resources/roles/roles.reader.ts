import { Injectable } from '@nestjs/common';
import { invalidValue } from '../../common/problem.js';
import { type TenantTransaction } from '../../platform/database/transactions/tenant-transaction.js';
import { type RoleEntity } from '../../platform/tenancy/access/role.entity.js';
import { RolesRepository } from './roles.repository.js';

@Injectable()
export class RolesReader {
  constructor(private readonly roles: RolesRepository) {}

  /**
   * Returns the role that a request refers to. Throws 400 at `path` if the tenant has no such role. Call
   * `tx.startAccessChange` first, so that the role cannot change until the commit, and `refuseEscalation` next if
   * the role is assigned to a user.
   */
  async getReferenced(tx: TenantTransaction, id: string, path = 'roleId'): Promise<RoleEntity> {
    const role = await this.roles.find(tx, id);
    if (!role) throw invalidValue(path, 'reference.role');
    return role;
  }

  /** Empty if the role does not exist. */
  async permissionsOf(tx: TenantTransaction, id: string): Promise<readonly string[]> {
    return (await this.roles.find(tx, id))?.permissions ?? [];
  }
}
