import { createHmac } from 'node:crypto';
import pg from 'pg';
import { scramVerifier } from './scram-verifier.js';
import { DatabaseSetupError, SERVICE_GROUP, setupClient, withSetupLock } from './service-role.js';

/** SQLSTATEs of PostgreSQL (appendix A of its documentation). */
const INVALID_PASSWORD = '28P01';
const INSUFFICIENT_PRIVILEGE = '42501';

/** Columns of pg_roles, the value that the serving role needs, and the option that sets it. */
const ATTRIBUTES = [
  ['rolcanlogin', true, 'LOGIN'],
  ['rolinherit', true, 'INHERIT'],
  ['rolsuper', false, 'NOSUPERUSER'],
  ['rolcreatedb', false, 'NOCREATEDB'],
  ['rolcreaterole', false, 'NOCREATEROLE'],
  ['rolreplication', false, 'NOREPLICATION'],
  ['rolbypassrls', false, 'NOBYPASSRLS'],
] as const;

type RoleRow = Record<(typeof ATTRIBUTES)[number][0] | 'isMember', boolean>;

/** One login on the owner's database. */
interface Login {
  readonly ownerUrl: string;
  readonly database: string;
  readonly role: string;
}

/**
 * The URL of the login role that serves: `serviceUrl` where there is one, else that of a role for this database, which
 * is created or corrected when needed. Its password is derived from the owner's: all instances compute the same one, and
 * it is stored nowhere.
 */
export async function ensureServiceRole(
  ownerUrl: string,
  serviceUrl?: string,
  log: (line: string) => void = () => undefined,
): Promise<string> {
  // From the URL or PGPASSWORD. Read before connecting, which adds that of .pgpass.
  const { password: ownerPassword, database = '' } = setupClient(ownerUrl);
  const login: Login = { ownerUrl, database, role: `${database.slice(0, 50)}_service` };
  return withSetupLock(ownerUrl, async (client) => {
    await revokeCreatePrivileges(client);
    if (serviceUrl === undefined && ownerPassword) {
      const password = derivedPassword(ownerPassword, login);
      await ensureLogin(client, login, password);
      return urlOf(login, password);
    }
    await disableKnownPassword(client, login, serviceUrl, log);
    if (serviceUrl !== undefined) return serviceUrl;
    throw new DatabaseSetupError(
      'DATABASE_URL has no password from which to derive that of the serving role. Create a login role ' +
        `(CREATE ROLE filing_login LOGIN PASSWORD '…' IN ROLE ${SERVICE_GROUP}) and set DATABASE_SERVICE_URL to it, ` +
        'or set PGPASSWORD.',
    );
  });
}

function derivedPassword(ownerPassword: string, { role }: Login): string {
  return createHmac('sha256', ownerPassword).update(`serving role ${role}`).digest('base64url');
}

async function ensureLogin(client: pg.Client, login: Login, password: string): Promise<void> {
  const name = pg.escapeIdentifier(login.role);
  const setPassword = `PASSWORD ${pg.escapeLiteral(scramVerifier(password))}`;
  try {
    const role = await findRole(client, login);
    if (role) {
      const options: string[] = ATTRIBUTES.filter(([column, wanted]) => role[column] !== wanted).map(
        ([, , option]) => option,
      );
      if (!(await acceptsPassword(login, password))) options.push(setPassword);
      if (options.length > 0) await client.query(`ALTER ROLE ${name} ${options.join(' ')}`);
    } else {
      await client.query(`CREATE ROLE ${name} LOGIN ${setPassword}`);
    }
    if (!role?.isMember) await client.query(`GRANT ${SERVICE_GROUP} TO ${name}`);
  } catch (error) {
    throw new DatabaseSetupError(
      `The role of DATABASE_URL may not set up the login role ${login.role} (${(error as Error).message}); ` +
        `give it CREATEROLE and ADMIN OPTION on ${login.role} and ${SERVICE_GROUP} where they exist, ` +
        `or create a login role that is a member of ${SERVICE_GROUP} and set DATABASE_SERVICE_URL.`,
      { cause: error },
    );
  }
}

/**
 * Earlier releases derived the password also from an owner's password that they did not have, and so from nothing. Anyone
 * can compute that password, so the role loses its login. A server that does not ask for the password may ask others for
 * it: then it is kept only where DATABASE_SERVICE_URL may have replaced it.
 */
async function disableKnownPassword(
  client: pg.Client,
  login: Login,
  serviceUrl: string | undefined,
  log: (line: string) => void,
): Promise<void> {
  const known = derivedPassword('', login);
  const used = serviceUrl === undefined ? undefined : setupClient(serviceUrl);
  // A password of its own: trying another one would only leave a failed login in the server's log.
  if (used?.user === login.role && used.password !== known) return;
  if (!(await findRole(client, login))?.rolcanlogin) return;
  const accepted = await acceptsPassword(login, known);
  if (accepted === false || (accepted === undefined && used)) return;
  const disable = `ALTER ROLE ${pg.escapeIdentifier(login.role)} NOLOGIN PASSWORD NULL`;
  try {
    await client.query(disable);
  } catch (error) {
    throw new DatabaseSetupError(
      `The login role ${login.role} has a password that anyone can compute. Run as a superuser: ${disable};`,
      { cause: error },
    );
  }
  log(`The login role ${login.role} had a password that anyone can compute: it can no longer log in.`);
}

async function findRole(client: pg.Client, { role }: Login): Promise<RoleRow | undefined> {
  const { rows } = await client.query<RoleRow>(
    `SELECT ${ATTRIBUTES.map(([column]) => column).join(', ')}, pg_has_role(oid, $2, 'USAGE') AS "isMember"
       FROM pg_roles WHERE rolname = $1`,
    [role, SERVICE_GROUP],
  );
  return rows[0];
}

/** Undefined where the server does not ask for a password, or refuses the login for another reason. */
async function acceptsPassword(login: Login, password: string): Promise<boolean | undefined> {
  let isAsked = false;
  const client = setupClient(urlOf(login));
  // Not among the options of the client: there, the URL would take precedence.
  Object.assign(client, {
    password: () => {
      isAsked = true;
      return password;
    },
  });
  try {
    await client.connect();
    return isAsked ? true : undefined;
  } catch (error) {
    return (error as pg.DatabaseError).code === INVALID_PASSWORD ? false : undefined;
  } finally {
    await client.end().catch(() => undefined);
  }
}

function urlOf({ ownerUrl, database, role }: Login, password = ''): string {
  const url = new URL(ownerUrl);
  if (url.pathname.length <= 1) url.pathname = `/${encodeURIComponent(database)}`;
  url.searchParams.delete('user');
  url.searchParams.delete('password');
  if (url.hostname) {
    url.username = encodeURIComponent(role);
    url.password = encodeURIComponent(password);
  } else {
    // A URL without a host (postgres:///filing?host=/run/postgresql) takes them as parameters only.
    url.searchParams.set('user', role);
    if (password) url.searchParams.set('password', password);
  }
  return url.toString();
}

/**
 * Keeps PUBLIC, and so the serving role, from creating temporary functions and objects of the schema (docs/adr/0003). Only
 * the owner of the database may revoke that; checkServiceRole tells what is left.
 */
async function revokeCreatePrivileges(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ revoke: string }>(
    `SELECT format('REVOKE TEMPORARY ON DATABASE %I FROM PUBLIC', current_database()) AS revoke
      WHERE has_database_privilege($1, current_database(), 'TEMPORARY')
      UNION ALL
     SELECT 'REVOKE CREATE ON SCHEMA public FROM PUBLIC' WHERE has_schema_privilege($1, 'public', 'CREATE')`,
    [SERVICE_GROUP],
  );
  for (const { revoke } of rows) {
    await client.query(revoke).catch((error: pg.DatabaseError) => {
      if (error.code !== INSUFFICIENT_PRIVILEGE) throw error;
    });
  }
}
