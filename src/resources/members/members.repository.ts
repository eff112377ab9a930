import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { byKey, userByKey } from '../../platform/database/paging/by-key.js';
import { type Permission } from '../../common/vocabulary/permissions.js';
import { type Position } from '../../platform/database/paging/cursor-codec.js';
import { TenantTable } from '../../platform/database/transactions/tenant-table.js';
import { type TenantTransaction } from '../../platform/database/transactions/tenant-transaction.js';
import { MemberEntity } from '../../platform/tenancy/access/member.entity.js';
import {
  MEMBER_DISPLAY_NAME,
  MEMBER_EMAIL,
  MEMBER_NAME,
  MEMBER_NAME_KEY,
  MEMBER_SORT_KEY,
} from '../../platform/tenancy/users/member-names.js';

export interface MemberRow {
  readonly userId: string;
  readonly issuer: string;
  readonly subject: string;
  readonly email: string | null;
  readonly displayName: string | null;
  /** Name of the member in the audit log. */
  readonly name: string;
  /** Sort key of member lists. */
  readonly nameKey: string;
  readonly roleId: string;
  readonly roleKey: string | null;
  readonly roleName: string;
  readonly rolePermissions: Permission[];
  readonly createdAt: string;
}

/**
 * Statement that reads the members of `source`. No row-level-security policy protects users, because they
 * belong to no tenant. So users are only read through members of the tenant.
 */
const selectMembers = (source: string) => `
  SELECT m.user_id AS "userId", u.issuer, u.subject, ${MEMBER_EMAIL} AS email,
         ${MEMBER_DISPLAY_NAME} AS "displayName", ${MEMBER_NAME} AS name,
         ${MEMBER_NAME_KEY} AS "nameKey", r.id AS "roleId", r.key AS "roleKey", r.name AS "roleName",
         r.permissions AS "rolePermissions", m.created_at AS "createdAt"
    FROM ${source} m ${userByKey('m.user_id')}
   ${byKey('roles', 'r', 'm.role_id')}
   WHERE m.tenant_id = $1`;

const ORDER = `ORDER BY ${MEMBER_SORT_KEY}, m.user_id`;

@Injectable()
export class MembersRepository extends TenantTable<MemberEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, MemberEntity);
  }

  /**
   * Names belong to users and change in all their tenants at once, so no index of a tenant has this order
   * (docs/adr/0013). Each page reads the names of all members, with the same cost at any depth; all other columns
   * are read only for the page.
   */
  list(tx: TenantTransaction, after: Position | null, limit: number): Promise<MemberRow[]> {
    const afterPosition = after ? `AND (${MEMBER_SORT_KEY}, m.user_id) > ($3::text, $4::uuid)` : '';
    const page = `(SELECT m.tenant_id, m.user_id, m.role_id, m.created_at, m.first_called_at
                     FROM members m ${userByKey('m.user_id')}
                    WHERE m.tenant_id = $1 ${afterPosition} ${ORDER} LIMIT $2)`;
    return tx.query<MemberRow>(`${selectMembers(page)} ${ORDER}`, [tx.tenantId, limit + 1, ...(after ?? [])]);
  }

  /** Display names of those users who are members, by id. */
  names(
    tx: TenantTransaction,
    userIds: readonly string[],
  ): Promise<Pick<MemberRow, 'userId' | 'displayName'>[]> {
    return tx.query(
      `SELECT m.user_id AS "userId", ${MEMBER_DISPLAY_NAME} AS "displayName"
         FROM members m ${userByKey('m.user_id')}
        WHERE m.tenant_id = $1 AND m.user_id = ANY ($2::uuid[]) ORDER BY m.user_id`,
      [tx.tenantId, userIds],
    );
  }

  find(tx: TenantTransaction, userId: string): Promise<MemberRow | null> {
    return tx.queryOrNull<MemberRow>(`${selectMembers('members')} AND m.user_id = $2`, [tx.tenantId, userId]);
  }

  /**
   * Like {@link find}, and locks the membership: until the commit, no transaction can add rows that refer to
   * it, such as entries of access lists.
   */
  lockOrNull(tx: TenantTransaction, userId: string): Promise<MemberRow | null> {
    return tx.queryOrNull<MemberRow>(`${selectMembers('members')} AND m.user_id = $2 FOR UPDATE OF m`, [
      tx.tenantId,
      userId,
    ]);
  }

  async insert(tx: TenantTransaction, userId: string, roleId: string): Promise<void> {
    await this.send(tx, this.insertStatement(tx, { userId, roleId }));
  }

  async setRole(tx: TenantTransaction, userId: string, roleId: string): Promise<void> {
    await this.send(tx, this.updateStatement(tx, { roleId }, { userId }));
  }

  async delete(tx: TenantTransaction, userId: string): Promise<void> {
    await this.send(tx, this.deleteStatement(tx, { userId }));
  }
}
