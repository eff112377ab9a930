import { createHmac } from 'node:crypto';
import pg from 'pg';

/** A database that cannot be used as it is; the process stops with its message. */
export class DatabaseSetupError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'DatabaseSetupError';
  }
}

/** Holds the privileges that migrations give; login roles are members of it. */
export const SERVICE_GROUP = 'filing_service_role';

/** Roles belong to the whole server, so two services that start at once on it must take turns. */
const SETUP_LOCK = 7_203_114_001;

/** Runs `work` on one connection of the owner while no other instance changes roles or schema. */
export async function withSetupLock<T>(
  ownerUrl: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = setupClient(ownerUrl);
  try {
    await client.connect();
    await client.query('SELECT pg_advisory_lock($1)', [SETUP_LOCK]);
  } catch (error) {
    await client.end().catch(() => undefined);
    throw new DatabaseSetupError(`The database cannot be reached: ${(error as Error).message}.`, {
      cause: error,
    });
  }
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** When its connection ends, whoever waits for an answer on it is told; an error event that nobody listens to ends the process. */
function setupClient(url: string): pg.Client {
  const client = new pg.Client({ connectionString: url, application_name: 'filing-service setup' });
  return client.on('error', () => undefined);
}

/** Makes the group role that migrations give privileges to. */
export async function ensureServiceGroup(client: pg.Client): Promise<void> {
  const { rowCount } = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [SERVICE_GROUP]);
  if (rowCount) return;
  try {
    await client.query(
      `CREATE ROLE ${SERVICE_GROUP} NOLOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOBYPASSRLS`,
    );
  } catch (error) {
    const { code } = error as pg.DatabaseError;
    if (code === '42710' || code === '23505') return; // Made by somebody else on this server a moment ago.
    throw new DatabaseSetupError(
      `The role of DATABASE_URL may not create roles; give it CREATEROLE or create the role ${SERVICE_GROUP} yourself.`,
      { cause: error },
    );
  }
}

/**
 * The URL of the login role that serves: one for each database, made when it is missing. Its password is derived
 * from the owner's, so that several instances agree on it and nobody has to keep it.
 */
export async function ensureServiceRole(ownerUrl: string): Promise<string> {
  const url = new URL(ownerUrl);
  const database = decodeURIComponent(url.pathname.slice(1)) || decodeURIComponent(url.username);
  const role = `${database.slice(0, 50)}_service`;
  const password = createHmac('sha256', decodeURIComponent(url.password))
    .update(`serving role ${role}`)
    .digest('base64url');
  await withSetupLock(ownerUrl, async (client) => {
    const name = pg.escapeIdentifier(role);
    const { rowCount } = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [role]);
    try {
      await client.query(
        `${rowCount ? 'ALTER' : 'CREATE'} ROLE ${name} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOBYPASSRLS INHERIT
           PASSWORD ${pg.escapeLiteral(password)}`,
      );
      await client.query(`GRANT ${SERVICE_GROUP} TO ${name}`);
    } catch (error) {
      throw new DatabaseSetupError(
        `The role of DATABASE_URL may not make the login role ${role} (${(error as Error).message}); ` +
          `give it CREATEROLE, or make a login role that is a member of ${SERVICE_GROUP} and set DATABASE_SERVICE_URL.`,
        { cause: error },
      );
    }
  });
  url.username = encodeURIComponent(role);
  url.password = encodeURIComponent(password);
  return url.toString();
}

/** Refuses to serve under a role that row level security would not hold. */
export async function checkServiceRole(serviceUrl: string): Promise<void> {
  const client = setupClient(serviceUrl);
  try {
    await client.connect();
    const { rows } = await client.query<{
      bypasses: boolean;
      owns: boolean;
      member: boolean;
      version: number;
    }>(`
      SELECT rolsuper OR rolbypassrls AS bypasses,
             EXISTS (SELECT FROM pg_class WHERE relowner = r.oid AND relkind IN ('r', 'p')) AS owns,
             pg_has_role(r.oid, '${SERVICE_GROUP}', 'MEMBER') AS member,
             current_setting('server_version_num')::int / 10000 AS version
        FROM pg_roles r WHERE rolname = current_user`);
    const role = rows[0];
    if (!role || role.bypasses || role.owns) {
      throw new DatabaseSetupError(
        'The role of DATABASE_SERVICE_URL must not be a superuser, bypass row level security, or own tables.',
      );
    }
    if (!role.member)
      throw new DatabaseSetupError(`The role of DATABASE_SERVICE_URL must be a member of ${SERVICE_GROUP}.`);
    if (role.version < 15) throw new DatabaseSetupError('PostgreSQL 15 or newer is needed.');
  } catch (error) {
    if (error instanceof DatabaseSetupError) throw error;
    throw new DatabaseSetupError(`The serving role cannot log in: ${(error as Error).message}.`, {
      cause: error,
    });
  } finally {
    await client.end().catch(() => undefined);
  }
}
