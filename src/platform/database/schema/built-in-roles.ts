import pg from 'pg';
import { BUILT_IN_ROLES } from '../../../common/vocabulary/built-in-roles.js';
import { ALL_PERMISSIONS } from '../../../common/vocabulary/permissions.js';

/**
 * Updates the permissions of the built-in roles in every tenant: the roles are stored when a tenant is created, and
 * later releases add permissions. Permissions that this release does not know remain, because an instance of a newer
 * release, running at the same time, may have added them.
 *
 * Row level security also applies to the owner, so the statement processes one tenant after another. Before it
 * changes roles, it locks the tenant's row as `startAccessChange` does; the opposite order could cause a deadlock.
 */
export async function updateBuiltInRoles(client: pg.Client): Promise<void> {
  const roles = BUILT_IN_ROLES.map(({ key, permissions }) => ({ key, permissions }));
  const lacking = `
    SELECT o.id, w.permissions
      FROM roles o
      JOIN jsonb_to_recordset(${pg.escapeLiteral(JSON.stringify(roles))}) AS b (key text, permissions jsonb)
        ON b.key = o.key
     CROSS JOIN LATERAL (
       SELECT ARRAY(SELECT jsonb_array_elements_text(b.permissions))
              || ARRAY(SELECT p FROM unnest(o.permissions) AS p WHERE p <> ALL (${textArray(ALL_PERMISSIONS)}))
              AS permissions
     ) w
     WHERE o.tenant_id = tenant AND o.permissions <> w.permissions`;
  await client.query(`
    DO $work$
    DECLARE
      tenant uuid;
    BEGIN
      FOR tenant IN SELECT id FROM tenants LOOP
        PERFORM set_config('app.tenant_id', tenant::text, true);
        UPDATE tenants SET access_version = access_version + 1 WHERE id = tenant AND EXISTS (${lacking});
        CONTINUE WHEN NOT FOUND;
        UPDATE roles r SET permissions = l.permissions FROM (${lacking}) l WHERE r.tenant_id = tenant AND r.id = l.id;
      END LOOP;
    END
    $work$`);
}

function textArray(values: readonly string[]): string {
  return `ARRAY[${values.map((value) => pg.escapeLiteral(value)).join(', ')}]`;
}
