import pg from 'pg';
import { BUILT_IN_ROLES } from '../../../common/vocabulary/built-in-roles.js';
import { ALL_PERMISSIONS } from '../../../common/vocabulary/permissions.js';

/**
 * Gives the built-in roles of every tenant the permissions that the vocabulary has for them: a tenant's are written
 * when it is made, and the vocabulary grows. What this version does not know stays, for a newer one that serves beside
 * it may have put it there. The wall holds for the owner, too, so it goes tenant by tenant, in one statement. Where
 * something is to be changed, it takes the tenant's turn first, as whoever changes roles does (`startAccessChange`): in the
 * other order the two could wait for each other.
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
