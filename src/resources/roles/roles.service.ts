import { Injectable } from '@nestjs/common';
import { newId } from '../../common/identifier.js';
import { type Page } from '../../common/page.js';
import { Problem } from '../../common/problem.js';
import { nameKey, normalizeName } from '../../common/text.js';
import {
  ALL_PERMISSIONS,
  PERMISSIONS,
  type Permission,
  permissionsInOrder,
} from '../../common/vocabulary/permissions.js';
import { PagedReads } from '../../platform/database/paging/paged-reads.js';
import { type WriteTransaction } from '../../platform/database/transactions/tenant-transaction.js';
import { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import { type PageQuery } from '../../platform/http/input/page-query.js';
import { AccessRevocation } from '../../platform/tenancy/access/access-revocation.js';
import { type Caller } from '../../platform/tenancy/access/caller.js';
import { refuseEscalation } from '../../platform/tenancy/access/escalation.js';
import { type RoleEntity } from '../../platform/tenancy/access/role.entity.js';
import {
  type CreateRoleBody,
  type PermissionResponse,
  type RoleResponse,
  type UpdateRoleBody,
  presentRole,
} from './roles.dto.js';
import { RolesRepository } from './roles.repository.js';

@Injectable()
export class RolesService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly roles: RolesRepository,
    private readonly accessRevocation: AccessRevocation,
    private readonly pages: PagedReads,
  ) {}

  list(caller: Caller, page: PageQuery): Promise<Page<RoleResponse>> {
    return this.pages.list(caller, 'ListRoles', page, this.roles, presentRole);
  }

  get(caller: Caller, id: string): Promise<RoleResponse> {
    return this.uow.read(caller, async (tx) => presentRole(await this.roles.get(tx, id)));
  }

  permissions(caller: Caller): Promise<PermissionResponse[]> {
    return this.uow.read(caller, async (tx) => {
      // Reads no rows; the round trip checks whether the caller still has the permission.
      await tx.queryAll([]);
      return ALL_PERMISSIONS.map((key) => ({ key, description: PERMISSIONS[key] }));
    });
  }

  create(caller: Caller, { name, permissions: given }: CreateRoleBody): Promise<RoleResponse> {
    const refuse = () => refuseEscalation(caller, given);
    const create = async (tx: WriteTransaction) => {
      await tx.startAccessChange();
      refuse();
      const permissions = permissionsInOrder(given);
      const role = await this.roles.insert(tx, { id: newId(), name, nameKey: nameKey(name), permissions });
      tx.record({ action: 'RoleCreated', subjectId: role.id, summary: summaryOf(name, [], permissions) });
      return presentRole(role);
    };
    return this.uow.write(caller, create, refuse);
  }

  update(caller: Caller, id: string, { name, permissions: given }: UpdateRoleBody): Promise<RoleResponse> {
    return this.uow.write(caller, async (tx) => {
      const role = await this.lock(tx, id);
      const former = permissionsInOrder(role.permissions);
      const permissions = given ? permissionsInOrder(given) : former;
      refuseEscalation(caller, former, permissions);
      refuseBuiltIn(role);
      const isSame = permissions.join() === former.join();
      const isSameName = name === normalizeName(role.name);
      if (isSame && isSameName) return presentRole(role);
      const updated = await this.roles.update(tx, id, {
        ...(!isSameName && { name, nameKey: nameKey(name) }),
        permissions,
      });
      await this.accessRevocation.requireAdministrator(tx, former, permissions);
      const title = isSameName ? role.name : `${role.name} → ${name}`;
      tx.record({ action: 'RoleUpdated', subjectId: id, summary: summaryOf(title, former, permissions) });
      return presentRole(updated);
    });
  }

  async delete(caller: Caller, id: string): Promise<void> {
    await this.uow.write(caller, async (tx) => {
      const role = await this.lock(tx, id);
      refuseEscalation(caller, role.permissions);
      refuseBuiltIn(role);
      tx.record({ action: 'RoleDeleted', subjectId: id, summary: role.name });
      await this.accessRevocation.endRole(tx, role);
      await this.roles.delete(tx, id);
    });
  }

  private async lock(tx: WriteTransaction, id: string): Promise<RoleEntity> {
    await tx.startAccessChange();
    const role = await this.roles.lock(tx, id);
    await tx.expectRepresentation(() => presentRole(role));
    return role;
  }
}

function refuseBuiltIn({ key }: RoleEntity): void {
  if (key !== null) throw new Problem('role.built-in');
}

/** For the audit log: `Clerk → Senior clerk; + files.close; − tags.read`. */
function summaryOf(name: string, former: readonly Permission[], permissions: readonly Permission[]): string {
  const added = permissions.filter((permission) => !former.includes(permission));
  const removed = former.filter((permission) => !permissions.includes(permission));
  return [
    name,
    ...(added.length > 0 ? [`+ ${added.join(' ')}`] : []),
    ...(removed.length > 0 ? [`− ${removed.join(' ')}`] : []),
  ].join('; ');
}
