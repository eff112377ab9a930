import { TENANT_CONDITION, alterTenantPolicies } from '../schema/tenant-table.js';
import { SERVICE_GROUP } from '../service-role/service-role.js';
import { type Query } from './distributed-schema.js';

const OWN_ACTOR = `actor_id IS NOT DISTINCT FROM nullif(current_setting('app.actor_id', true), '')::uuid`;
/** Allows for the clocks of the nodes, and for transactions that use another node first. */
const CURRENT_TIME = `occurred_at BETWEEN now() - interval '10 minutes' AND now() + interval '10 minutes'`;

const HAS_NO_TENANT = `nullif(current_setting('app.tenant_id', true), '') IS NULL`;

/**
 * The view `queued_tenants` has its owner's privileges only on the coordinator, so the service role may read the queue of
 * all tenants itself, in statements without a tenant. The queue has ids only.
 */
export async function adaptQueuePolicy(query: Query): Promise<void> {
  await query(
    `CREATE POLICY rows_without_tenant ON event_queue FOR SELECT TO ${SERVICE_GROUP} USING (${HAS_NO_TENANT})`,
  );
}

/**
 * Changes policies and privileges to what Citus can copy to the shards:
 * - It refuses subqueries in policies.
 * - It copies restrictive policies as permissive ones, so the check of the actor becomes part of the tenant's policy.
 * - It adds the defaults of columns to each INSERT, so the service role needs the privilege for these columns. The policy
 *   then checks the time of audit entries.
 * - The view `own_tenants` has its owner's privileges only on the coordinator, so the service role may read a user's
 *   memberships itself. These policies apply only when a transaction sets a user and no tenant.
 */
export async function adaptPolicies(query: Query): Promise<void> {
  await alterTenantPolicies(query, TENANT_CONDITION);
  await query(`GRANT INSERT (occurred_at) ON audit_entries TO ${SERVICE_GROUP}`);
  await query(`GRANT INSERT (created_at) ON notifications TO ${SERVICE_GROUP}`);
  await query('DROP POLICY actor_of_transaction ON audit_entries');
  await query(
    `ALTER POLICY tenant_wall ON audit_entries
       WITH CHECK (${TENANT_CONDITION} AND ${OWN_ACTOR} AND ${CURRENT_TIME})`,
  );
  const conditions = {
    members: `user_id = nullif(current_setting('app.user_id', true), '')::uuid`,
    expected_members: `email_key = nullif(current_setting('app.user_email_key', true), '')`,
    roles: `nullif(current_setting('app.user_id', true), '') IS NOT NULL`,
  };
  for (const [table, condition] of Object.entries(conditions)) {
    await query(
      `CREATE POLICY rows_of_user ON ${table} FOR SELECT TO ${SERVICE_GROUP} USING (${HAS_NO_TENANT} AND ${condition})`,
    );
  }
  await adaptQueuePolicy(query);
}
