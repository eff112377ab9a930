import { Injectable } from '@nestjs/common';
import { type Position } from '../../platform/database/paging/cursor-codec.js';
import { type UserContext } from '../../platform/database/transactions/tenant-context.js';
import { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import { type OwnTenantResponse } from './own-tenants.dto.js';

const SORT_KEY = `t.name COLLATE "und-x-icu"`;

@Injectable()
export class OwnTenantsRepository {
  constructor(private readonly uow: UnitOfWork) {}

  /** The view `own_tenants` returns only the tenants of this user, which are sorted for each page. */
  list(user: UserContext, after: Position | null, limit: number): Promise<OwnTenantResponse[]> {
    const afterPosition = after ? `WHERE (${SORT_KEY}, t.id) > ($2::text, $3::uuid)` : '';
    return this.uow.readForUser<OwnTenantResponse>(user, {
      text: `SELECT t.id, s.slug, t.name, json_build_object('id', o.role_id, 'key', o.role_key, 'name', o.role_name) AS role
               FROM own_tenants o
               JOIN tenants t ON t.id = o.tenant_id
               JOIN tenant_slugs s ON s.tenant_id = t.id AND s.expires_at IS NULL
              ${afterPosition} ORDER BY ${SORT_KEY}, t.id LIMIT $1`,
      values: [limit + 1, ...(after ?? [])],
    });
  }
}
