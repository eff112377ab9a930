import type pg from 'pg';
import {
  DatabaseSetupError,
  SERVICE_GROUP,
  connectDirectly,
  setupClient,
  setupError,
} from './service-role.js';

/**
 * Finds a role that is not allowed to serve requests, with the reason. Checks the service role and every role that it
 * is a member of, directly or indirectly, because SET ROLE can switch to any of them.
 */
const FORBIDDEN_ROLE = `
  SELECT * FROM (
    SELECT g.rolname AS name, g.rolname = current_user AS "isItself",
           CASE WHEN g.rolsuper THEN 'is a superuser'
                WHEN g.rolbypassrls THEN 'bypasses row-level security'
                WHEN EXISTS (SELECT FROM pg_shdepend o
                              WHERE o.refclassid = 'pg_authid'::regclass AND o.refobjid = g.oid AND o.deptype = 'o'
                                AND (o.dbid = d.oid OR (o.classid = 'pg_database'::regclass AND o.objid = d.oid)))
                THEN 'owns objects of the database'
                WHEN g.rolcreaterole THEN 'may create roles'
                WHEN g.rolreplication THEN 'may replicate the database'
                WHEN g.rolname IN ('pg_execute_server_program', 'pg_read_server_files', 'pg_write_server_files')
                THEN 'can access files of the server'
                WHEN has_table_privilege(g.oid, to_regclass('public.audit_entries'), 'UPDATE, DELETE, TRUNCATE')
                THEN 'may change audit entries'
           END AS reason
      FROM pg_roles g, pg_database d
     WHERE d.datname = current_database() AND pg_has_role(current_user, g.oid, 'MEMBER')) f
   WHERE reason IS NOT NULL
   -- An inherited privilege is reported for the role that it is inherited from.
   ORDER BY "isItself" AND reason = 'may change audit entries', "isItself" DESC, name LIMIT 1`;

/**
 * REVOKE statements for the database owner, one for each privilege to create objects that the service role still has.
 */
const CREATE_PRIVILEGES = `
  SELECT format('REVOKE TEMPORARY, CREATE ON DATABASE %I FROM PUBLIC, %I', current_database(), current_user) AS revoke
   WHERE has_database_privilege(current_database(), 'TEMPORARY, CREATE')
   UNION ALL
  SELECT format('REVOKE CREATE ON SCHEMA public FROM PUBLIC, %I', current_user)
   WHERE has_schema_privilege('public', 'CREATE')`;

/**
 * Throws when the service role is not subject to row-level security, or can switch to a role that is not. Warns when
 * it can create objects.
 */
export async function checkServiceRole(
  serviceUrl: string,
  warn: (line: string) => void = () => undefined,
): Promise<void> {
  const client = setupClient(serviceUrl);
  try {
    await connectDirectly(client);
    await check(client);
    const { rows } = await client.query<{ revoke: string }>(CREATE_PRIVILEGES);
    for (const { revoke } of rows)
      warn(
        `The service role can create objects in the database. Run as the owner of the database: ${revoke};`,
      );
  } catch (error) {
    throw setupError('The service role cannot log in', error);
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function check(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ role: string; isMember: boolean; version: number }>(
    `SELECT current_user AS role, pg_has_role(r.oid, '${SERVICE_GROUP}', 'USAGE') AS "isMember",
            current_setting('server_version_num')::int / 10000 AS version
       FROM pg_roles r WHERE rolname = current_user`,
  );
  const { role = '', isMember = false, version = 0 } = rows[0] ?? {};
  if (version < 15) throw new DatabaseSetupError('PostgreSQL 15 or newer is required.');
  const forbiddenRoles = await client.query<{ name: string; isItself: boolean; reason: string }>(
    FORBIDDEN_ROLE,
  );
  const [forbidden] = forbiddenRoles.rows;
  if (forbidden) {
    const reason = forbidden.isItself
      ? forbidden.reason
      : `is a member of the role ${forbidden.name}, which ${forbidden.reason}`;
    throw new DatabaseSetupError(
      `The role ${role} must not serve requests: it ${reason}. Set DATABASE_SERVICE_URL to a login role that is a ` +
        `member of ${SERVICE_GROUP} only.`,
    );
  }
  if (!isMember)
    throw new DatabaseSetupError(
      `The role of DATABASE_SERVICE_URL must be a member of ${SERVICE_GROUP} and inherit its privileges.`,
    );
}
