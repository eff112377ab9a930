import { Injectable } from '@nestjs/common';
import { type Permission } from '../../common/vocabulary/permissions.js';
import { type Position } from '../../platform/database/paging/cursor-codec.js';
import { type TenantTransaction } from '../../platform/database/transactions/tenant-transaction.js';
import {
  MEMBER_DISPLAY_NAME,
  MEMBER_EMAIL,
  MEMBER_NAME,
  MEMBER_NAME_KEY,
} from '../../platform/tenancy/users/member-names.js';

/** A member with the user and the role behind it. */
export interface MemberRow {
  readonly userId: string;
  readonly issuer: string;
  readonly subject: string;
  readonly email: string | null;
  readonly displayName: string | null;
  /** What the audit log calls the member. */
  readonly name: string;
  /** What members are listed by. */
  readonly nameKey: string;
  readonly roleId: string;
  readonly roleKey: string | null;
  readonly roleName: string;
  readonly rolePermissions: Permission[];
  readonly createdAt: string;
}

/**
 * What is shown of the members that `source` gives. Users belong to no tenant and no policy guards them: they are only
 * ever reached through a member of the tenant.
 */
const shown = (source: string) => `
  SELECT m.user_id AS "userId", u.issuer, u.subject, ${MEMBER_EMAIL} AS email,
         ${MEMBER_DISPLAY_NAME} AS "displayName", ${MEMBER_NAME} AS name,
         ${MEMBER_NAME_KEY} AS "nameKey", r.id AS "roleId", r.key AS "roleKey", r.name AS "roleName",
         r.permissions AS "rolePermissions", m.created_at AS "createdAt"
    FROM ${source} m
    JOIN users u ON u.id = m.user_id
    JOIN roles r ON r.tenant_id = m.tenant_id AND r.id = m.role_id
   WHERE m.tenant_id = $1 AND r.tenant_id = $1`;

const SORT_KEY = `(${MEMBER_NAME_KEY}) COLLATE "und-x-icu"`;
const ORDER = `ORDER BY ${SORT_KEY}, m.user_id`;

@Injectable()
export class MembersRepository {
  /**
   * By name; one row more than `limit`, to tell whether there is a further page. Names are the users', and change in
   * all their tenants at once, so no index of a tenant is in their order (docs/adr/0013): each page goes through the
   * names of all members, which costs the same at any depth. Everything else is read for the page alone.
   */
  list(tx: TenantTransaction, after: Position | null, limit: number): Promise<MemberRow[]> {
    const further = after ? `AND (${SORT_KEY}, m.user_id) > ($3::text, $4::uuid)` : '';
    const page = `(SELECT m.tenant_id, m.user_id, m.role_id, m.created_at, m.first_called_at
                     FROM members m JOIN users u ON u.id = m.user_id
                    WHERE m.tenant_id = $1 ${further} ${ORDER} LIMIT $2)`;
    return tx.query<MemberRow>(`${shown(page)} ${ORDER}`, [tx.tenantId, limit + 1, ...(after ?? [])]);
  }

  /** Null when the user is no member of the tenant. */
  async find(tx: TenantTransaction, userId: string): Promise<MemberRow | null> {
    const [row] = await tx.query<MemberRow>(`${shown('members')} AND m.user_id = $2`, [tx.tenantId, userId]);
    return row ?? null;
  }

  /** Like {@link find}; until the commit nobody can hold on to the membership, or put the user on a list. */
  async lock(tx: TenantTransaction, userId: string): Promise<MemberRow | null> {
    const [row] = await tx.query<MemberRow>(`${shown('members')} AND m.user_id = $2 FOR UPDATE OF m`, [
      tx.tenantId,
      userId,
    ]);
    return row ?? null;
  }

  async insert(tx: TenantTransaction, userId: string, roleId: string): Promise<void> {
    await tx.query('INSERT INTO members (tenant_id, user_id, role_id) VALUES ($1, $2, $3)', [
      tx.tenantId,
      userId,
      roleId,
    ]);
  }

  async setRole(tx: TenantTransaction, userId: string, roleId: string): Promise<void> {
    await tx.query(
      'UPDATE members SET role_id = $3, updated_at = now() WHERE tenant_id = $1 AND user_id = $2',
      [tx.tenantId, userId, roleId],
    );
  }

  async delete(tx: TenantTransaction, userId: string): Promise<void> {
    await tx.query('DELETE FROM members WHERE tenant_id = $1 AND user_id = $2', [tx.tenantId, userId]);
  }
}
