import { type Statement } from './tenant-batch.js';
import { type TenantContext, type UserContext } from './tenant-context.js';

/**
 * Sets tenant and actor of a transaction, for row level security, and reads the tenant's access version. Every
 * transaction of a tenant starts with this statement.
 */
export function setTenant({ tenantId, actorId }: TenantContext): Statement {
  return {
    text: `SELECT set_config('app.tenant_id', $1, true), set_config('app.actor_id', $2, true),
                  (SELECT access_version FROM tenants WHERE id = $1::uuid) AS "accessVersion"`,
    values: [tenantId, actorId ?? ''],
  };
}

/** Sets the user of a transaction without a tenant. Only the view `own_tenants` has rows then (docs/adr/0032). */
export function setUser({ userId, emailKey }: UserContext): Statement {
  return {
    text: `SELECT set_config('app.user_id', $1, true), set_config('app.user_email_key', $2, true)`,
    values: [userId, emailKey ?? ''],
  };
}
