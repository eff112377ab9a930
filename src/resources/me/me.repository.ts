import { Injectable } from '@nestjs/common';
import { type TenantTransaction } from '../../platform/database/transactions/tenant-transaction.js';

export interface MembershipRow {
  readonly userId: string;
  readonly email: string | null;
  readonly displayName: string | null;
  readonly tenantId: string;
  readonly slug: string;
  readonly tenantName: string;
  readonly roleId: string;
  readonly roleKey: string | null;
  readonly roleName: string;
  readonly permissions: string[];
}

@Injectable()
export class MeRepository {
  /** One statement, so that all parts have the same time. */
  find(tx: TenantTransaction, userId: string): Promise<MembershipRow | null> {
    return tx.queryOrNull<MembershipRow>(
      `SELECT u.id AS "userId", u.email, u.display_name AS "displayName",
              t.id AS "tenantId", s.slug, t.name AS "tenantName",
              r.id AS "roleId", r.key AS "roleKey", r.name AS "roleName", r.permissions
         FROM members m
         JOIN users u ON u.id = m.user_id
         JOIN roles r ON r.tenant_id = m.tenant_id AND r.id = m.role_id
         JOIN tenants t ON t.id = m.tenant_id
         JOIN tenant_slugs s ON s.tenant_id = t.id AND s.expires_at IS NULL
        WHERE m.tenant_id = $1 AND r.tenant_id = $1 AND t.id = $1 AND s.tenant_id = $1 AND m.user_id = $2`,
      [tx.tenantId, userId],
    );
  }
}
