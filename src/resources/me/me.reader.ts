import { Injectable } from '@nestjs/common';
import { orNotFound } from '../../common/problem.js';
import { permissionsInOrder } from '../../common/vocabulary/permissions.js';
import { type TenantTransaction } from '../../platform/database/transactions/tenant-transaction.js';
import { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import { type Caller } from '../../platform/tenancy/access/caller.js';
import { MeRoleResponse, TenantMeResponse } from './me.dto.js';

/** Other resources return these, too. */
export { MeRoleResponse, TenantMeResponse };

type StoredMe = Omit<TenantMeResponse, 'permissions'> & { readonly permissions: readonly string[] };

@Injectable()
export class MeReader {
  constructor(private readonly uow: UnitOfWork) {}

  /** Reads the database, because the cached caller may have outdated names and slugs. */
  ofCaller(caller: Caller): Promise<TenantMeResponse> {
    return this.uow.read(caller, (tx) => this.get(tx, caller.user.id));
  }

  /** One statement, so that all parts have the same time. Throws 404 if the user is not a member. */
  async get(tx: TenantTransaction, userId: string): Promise<TenantMeResponse> {
    const stored = await tx.queryOrNull<StoredMe>(
      `SELECT json_build_object('id', u.id, 'email', u.email, 'displayName', u.display_name) AS "user",
              json_build_object('id', t.id, 'slug', s.slug, 'name', t.name) AS tenant,
              json_build_object('id', r.id, 'key', r.key, 'name', r.name) AS role, r.permissions
         FROM members m
         JOIN users u ON u.id = m.user_id
         JOIN roles r ON r.tenant_id = m.tenant_id AND r.id = m.role_id
         JOIN tenants t ON t.id = m.tenant_id
         JOIN tenant_slugs s ON s.tenant_id = t.id AND s.expires_at IS NULL
        WHERE m.tenant_id = $1 AND r.tenant_id = $1 AND t.id = $1 AND s.tenant_id = $1 AND m.user_id = $2`,
      [tx.tenantId, userId],
    );
    const me = orNotFound(stored);
    return { ...me, permissions: permissionsInOrder(me.permissions) };
  }
}
