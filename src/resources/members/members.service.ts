import { Inject, Injectable } from '@nestjs/common';
import { type Page } from '../../common/page.js';
import { orNotFound } from '../../common/problem.js';
import { CONFIGURATION, type Configuration } from '../../platform/config/configuration.js';
import { PagedReads } from '../../platform/database/paging/paged-reads.js';
import {
  type TenantTransaction,
  type WriteTransaction,
} from '../../platform/database/transactions/tenant-transaction.js';
import { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import { type PageQuery } from '../../platform/http/input/page-query.js';
import { issuerIdentity, issuerOfIdentity } from '../../platform/identity/issuer-url.js';
import { AccessRevocation } from '../../platform/tenancy/access/access-revocation.js';
import { type Caller } from '../../platform/tenancy/access/caller.js';
import { refuseEscalation } from '../../platform/tenancy/access/escalation.js';
import { UsersRepository } from '../../platform/tenancy/users/users.repository.js';
import { RolesReader } from '../roles/roles.reader.js';
import {
  type AddMemberBody,
  type ChangeMemberRoleBody,
  type MemberResponse,
  type UserNameResponse,
  presentMember,
} from './members.dto.js';
import { type MemberRow, MembersRepository } from './members.repository.js';

/**
 * The caller must have every permission of the roles involved: of the role they assign, and of the role that the
 * member has (docs/adr/0013).
 */
@Injectable()
export class MembersService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly members: MembersRepository,
    private readonly accessRevocation: AccessRevocation,
    private readonly users: UsersRepository,
    private readonly roles: RolesReader,
    private readonly pages: PagedReads,
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
  ) {}

  list(caller: Caller, page: PageQuery): Promise<Page<MemberResponse>> {
    return this.pages.page(caller, { operation: 'ListMembers' }, page, {
      rows: (tx, after, limit) => this.members.list(tx, after, limit),
      position: (row) => [row.nameKey, row.userId],
      present: this.present,
    });
  }

  get(caller: Caller, userId: string): Promise<MemberResponse> {
    return this.uow.read(caller, async (tx) => this.present(await this.find(tx, userId)));
  }

  names(caller: Caller, userIds: readonly string[]): Promise<UserNameResponse[]> {
    return this.uow.read(caller, (tx) => this.members.names(tx, userIds));
  }

  add(caller: Caller, { issuer, subject, roleId }: AddMemberBody): Promise<MemberResponse> {
    const add = async (tx: WriteTransaction) => {
      await tx.startAccessChange();
      const role = await this.roles.getReferenced(tx, roleId);
      refuseEscalation(caller, role.permissions);
      const userId = await this.users.ensure(tx, issuerIdentity(this.configuration, issuer), subject);
      await this.members.insert(tx, userId, roleId);
      await this.accessRevocation.removeExpectedMember(tx, userId);
      const member = await this.find(tx, userId);
      tx.record({
        action: 'MemberAdded',
        subjectId: userId,
        summary: `${member.name}: ${member.roleName}`,
        related: { roleId },
      });
      return this.present(member);
    };
    return this.uow.write(caller, add, async (tx) =>
      refuseEscalation(caller, await this.roles.permissionsOf(tx, roleId)),
    );
  }

  changeRole(caller: Caller, userId: string, { roleId }: ChangeMemberRoleBody): Promise<MemberResponse> {
    return this.uow.write(caller, async (tx) => {
      const member = await this.lock(tx, userId);
      const role = await this.roles.getReferenced(tx, roleId);
      refuseEscalation(caller, member.rolePermissions, role.permissions);
      if (member.roleId === roleId) return this.present(member);
      await this.members.setRole(tx, userId, roleId);
      await this.accessRevocation.requireAdministrator(tx, member.rolePermissions, role.permissions);
      tx.record({
        action: 'MemberRoleChanged',
        subjectId: userId,
        summary: `${member.name}: ${member.roleName} → ${role.name}`,
        related: { roleId },
      });
      tx.notify(userId, 'RoleChanged', { roleId, roleName: role.name, actorName: tx.actorName });
      return this.present(await this.find(tx, userId));
    });
  }

  async remove(caller: Caller, userId: string): Promise<void> {
    await this.uow.write(caller, async (tx) => {
      const member = await this.lock(tx, userId);
      refuseEscalation(caller, member.rolePermissions);
      const { name } = member;
      tx.record({
        action: 'MemberRemoved',
        subjectId: userId,
        summary: `${name}: ${member.roleName}`,
        related: { roleId: member.roleId },
      });
      await this.accessRevocation.endMembership(tx, { id: userId, name });
      await this.members.delete(tx, userId);
      await this.accessRevocation.requireAdministrator(tx, member.rolePermissions);
    });
  }

  private readonly present = (row: MemberRow): MemberResponse =>
    presentMember(row, issuerOfIdentity(this.configuration, row.issuer));

  private async lock(tx: WriteTransaction, userId: string): Promise<MemberRow> {
    await tx.startAccessChange();
    return orNotFound(await this.members.lockOrNull(tx, userId));
  }

  private async find(tx: TenantTransaction, userId: string): Promise<MemberRow> {
    return orNotFound(await this.members.find(tx, userId));
  }
}
