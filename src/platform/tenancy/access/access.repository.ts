import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type AuditAction } from '../../../common/vocabulary/audit.js';
import { type Permission } from '../../../common/vocabulary/permissions.js';
import { type RunQuery } from '../../database/transactions/tenant-context.js';
import { type TenantTransaction } from '../../database/transactions/tenant-transaction.js';
import { UnitOfWork } from '../../database/transactions/unit-of-work.js';

interface TenantRow {
  id: string;
  name: string;
  slug: string;
  isCurrent: boolean;
  isSuspended: boolean;
  accessVersion: number;
  perMinute: number | null;
  burst: number | null;
}

export interface MembershipRow {
  accessVersion: number;
  userId: string;
  roleId: string;
  roleKey: string | null;
  roleName: string;
  permissions: Permission[];
  webhookTypes: AuditAction[][];
  isSuspended: boolean;
  hasCalled: boolean;
}

interface ExpectedRole {
  readonly id: string;
  readonly name: string;
}

@Injectable()
export class AccessRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly uow: UnitOfWork,
  ) {}

  /** The tenant with this current or former slug. Null when the slug is unknown or expired. */
  async findTenant(slug: string): Promise<TenantRow | null> {
    const [tenant] = await this.dataSource.query<TenantRow[]>(
      `SELECT t.id, t.name, current.slug, s.expires_at IS NULL AS "isCurrent",
              t.suspended_at IS NOT NULL AS "isSuspended", t.access_version AS "accessVersion",
              t.rate_limit_per_minute AS "perMinute", t.rate_limit_burst AS "burst"
         FROM tenant_slugs s
         JOIN tenants t ON t.id = s.tenant_id
         JOIN tenant_slugs current ON current.tenant_id = t.id AND current.expires_at IS NULL
        WHERE s.slug = $1 AND (s.expires_at IS NULL OR s.expires_at > now())`,
      [slug],
    );
    return tenant ?? null;
  }

  async findMembership(query: RunQuery, tenantId: string, userId: string): Promise<MembershipRow | null> {
    const [membership] = await query<MembershipRow>(this.memberships('m.user_id = $2'), [tenantId, userId]);
    return membership ?? null;
  }

  findMemberships(query: RunQuery, tenantId: string, userIds: readonly string[]): Promise<MembershipRow[]> {
    return query<MembershipRow>(this.memberships('m.user_id = ANY ($2::uuid[])'), [tenantId, userIds]);
  }

  /** Reads the access version and what it covers in one statement, so that they belong together. */
  private memberships(condition: string): string {
    const { table, tenantId: id } = this.uow.layout.accessVersions;
    return `SELECT t.access_version AS "accessVersion", m.user_id AS "userId", r.id AS "roleId", r.key AS "roleKey",
                   r.name AS "roleName", r.permissions, m.first_called_at IS NOT NULL AS "hasCalled",
                   t.suspended_at IS NOT NULL AS "isSuspended",
                   (SELECT coalesce(jsonb_agg(w.types), '[]') FROM webhooks w
                     WHERE w.tenant_id = $1 AND w.status = 'Active') AS "webhookTypes"
              FROM ${table} t
              JOIN members m ON m.tenant_id = t.${id} AND ${condition}
              JOIN roles r ON r.tenant_id = m.tenant_id AND r.id = m.role_id
             WHERE t.${id} = $1 AND m.tenant_id = $1 AND r.tenant_id = $1`;
  }

  async recordFirstCall(tx: TenantTransaction, userId: string): Promise<void> {
    await tx.query(
      `UPDATE members SET first_called_at = now()
        WHERE tenant_id = $1 AND user_id = $2 AND first_called_at IS NULL`,
      [tx.tenantId, userId],
    );
  }

  /** Deletes the expected member with this address. Returns its role, and whether the user is already a member. */
  async takeExpectedMember(
    tx: TenantTransaction,
    emailKey: string,
    userId: string,
  ): Promise<{ role: ExpectedRole | undefined; isMember: boolean }> {
    // Two statements: if the first had to wait for a concurrent request, the second one sees its result.
    const [[role], [member]] = await tx.queryAll<[ExpectedRole, object]>([
      {
        text: `WITH taken AS (
                 DELETE FROM expected_members e WHERE e.tenant_id = $1 AND e.email_key = $2 RETURNING e.role_id)
               SELECT r.id, r.name FROM taken t JOIN roles r ON r.id = t.role_id WHERE r.tenant_id = $1`,
        values: [tx.tenantId, emailKey],
      },
      {
        text: 'SELECT user_id FROM members WHERE tenant_id = $1 AND user_id = $2',
        values: [tx.tenantId, userId],
      },
    ]);
    return { role, isMember: member !== undefined };
  }

  /** Returns false when the user is already a member. */
  async addMember(tx: TenantTransaction, userId: string, roleId: string): Promise<boolean> {
    const added = await tx.query(
      `INSERT INTO members (tenant_id, user_id, role_id, first_called_at) VALUES ($1, $2, $3, now())
       ON CONFLICT (tenant_id, user_id) DO NOTHING RETURNING user_id`,
      [tx.tenantId, userId, roleId],
    );
    return added.length > 0;
  }
}
