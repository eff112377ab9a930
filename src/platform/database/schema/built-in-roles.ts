import { createHash } from 'node:crypto';
import pg from 'pg';
import { BUILT_IN_ROLES } from '../../../common/vocabulary/built-in-roles.js';
import { ALL_PERMISSIONS } from '../../../common/vocabulary/permissions.js';
import { queryOf } from '../distribution/distributed-schema.js';
import { layoutOf } from '../transactions/database-layout.js';
import { runBatch } from '../transactions/tenant-transaction.js';

const ROLES = JSON.stringify(BUILT_IN_ROLES.map(({ key, permissions }) => ({ key, permissions })));

/** Identifies the built-in roles of this release; stored with each tenant whose roles have these permissions. */
export const BUILT_IN_ROLES_VERSION = createHash('sha256')
  .update(ROLES + JSON.stringify(ALL_PERMISSIONS))
  .digest('base64url');

const PERMISSIONS = ALL_PERMISSIONS.map((permission) => pg.escapeLiteral(permission)).join(', ');

/** Ids of the roles of the tenant `$1` that differ from the built-in roles `$2` (JSON), with their new permissions. */
const OUTDATED_ROLES = `
    SELECT o.id, w.permissions
      FROM roles o
      JOIN jsonb_to_recordset($2::jsonb) AS b (key text, permissions jsonb) ON b.key = o.key
     CROSS JOIN LATERAL (
       SELECT ARRAY(SELECT jsonb_array_elements_text(b.permissions))
              || ARRAY(SELECT p FROM unnest(o.permissions) AS p WHERE p <> ALL (ARRAY[${PERMISSIONS}]))
              AS permissions
     ) w
     WHERE o.tenant_id = $1 AND o.permissions <> w.permissions`;

/**
 * Updates the permissions of the built-in roles in every tenant that has those of another release: the roles are stored
 * when a tenant is created, and later releases add permissions. Permissions that this release does not know remain,
 * because an instance of a newer release, running at the same time, may have added them.
 *
 * Row-level security also applies to the owner, so each tenant is one transaction and one round trip. Before it changes
 * roles, it locks the tenant's access version as `startAccessChange` does; the opposite order could cause a deadlock.
 */
export async function updateBuiltInRoles(client: pg.Client): Promise<void> {
  const layout = await layoutOf(queryOf(client));
  const { table, tenantId } = layout.accessVersions;
  const tenants = await client.query<{ id: string }>(
    'SELECT id FROM tenants WHERE built_in_roles IS DISTINCT FROM $1',
    [BUILT_IN_ROLES_VERSION],
  );
  for (const { id } of tenants.rows) {
    const statements = [
      { text: 'BEGIN' },
      ...layout.setTenant({ tenantId: id, actorId: null, actorName: null, accessVersion: null }),
      {
        text: `UPDATE ${table} SET access_version = access_version + 1
                WHERE ${tenantId} = $1 AND EXISTS (${OUTDATED_ROLES})`,
        values: [id, ROLES],
      },
      {
        text: `WITH outdated AS MATERIALIZED (${OUTDATED_ROLES})
               UPDATE roles r SET permissions = o.permissions FROM outdated o
                WHERE r.tenant_id = $1 AND r.id = o.id`,
        values: [id, ROLES],
      },
      { text: 'UPDATE tenants SET built_in_roles = $2 WHERE id = $1', values: [id, BUILT_IN_ROLES_VERSION] },
      { text: 'COMMIT' },
    ];
    await runBatch(client, statements, pg.types);
  }
}
