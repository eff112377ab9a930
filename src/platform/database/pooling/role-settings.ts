import pg from 'pg';
import { type SessionSettings } from '../connections/session-limits.js';
import { DatabaseSetupError, withSetupLock } from '../service-role/service-role.js';

/** Sets what the sessions of a role in this database have as settings. Existing sessions keep theirs. */
export async function ensureRoleSettings(
  ownerUrl: string,
  role: string,
  settings: SessionSettings,
): Promise<void> {
  await withSetupLock(ownerUrl, async (client) => {
    const stored = await client.query<{ entry: string }>(
      `SELECT unnest(s.setconfig) AS entry
         FROM pg_db_role_setting s JOIN pg_roles r ON r.oid = s.setrole JOIN pg_database d ON d.oid = s.setdatabase
        WHERE r.rolname = $1 AND d.datname = current_database()`,
      [role],
    );
    const present = new Set(stored.rows.map(({ entry }) => entry));
    const needed = await knownSettings(client, settings);
    const missing = Object.fromEntries(
      Object.entries(needed).filter(([name, value]) => !present.has(`${name}=${value}`)),
    );
    const [database] = (await client.query<{ name: string }>('SELECT current_database() AS name')).rows;
    for (const statement of alterRole(role, database?.name ?? '', missing)) {
      await client.query(statement).catch((error: unknown) => {
        throw new DatabaseSetupError(
          `The owner role is not allowed to change the settings of the login role ${role} ` +
            `(${(error as Error).message}). Give it ADMIN OPTION on the role, or run as a superuser: ${statement};`,
          { cause: error },
        );
      });
    }
  });
}

/** The statements that give a role settings in a database. */
export function alterRole(role: string, database: string, settings: SessionSettings): string[] {
  const target = `${pg.escapeIdentifier(role)} IN DATABASE ${pg.escapeIdentifier(database)}`;
  return Object.entries(settings).map(
    ([name, value]) => `ALTER ROLE ${target} SET ${name} TO ${pg.escapeLiteral(value)}`,
  );
}

/** Without the settings of extensions that the database does not have: only a superuser can set these. */
export async function knownSettings(client: pg.Client, settings: SessionSettings): Promise<SessionSettings> {
  const { rows } = await client.query<{ name: string }>('SELECT extname AS name FROM pg_extension');
  const extensions = new Set(rows.map(({ name }) => name));
  return Object.fromEntries(
    Object.entries(settings).filter(([name]) => {
      const [prefix = '', ...rest] = name.split('.');
      return rest.length === 0 || extensions.has(prefix);
    }),
  );
}
