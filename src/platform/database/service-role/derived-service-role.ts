import { createHmac, createHash, pbkdf2Sync, randomBytes } from 'node:crypto';
import pg from 'pg';
import { withLogin } from '../connections/connection-urls.js';
import { DatabaseSetupError, SERVICE_GROUP, setupClient, setupError, withSetupLock } from './service-role.js';
import { ensureRoleOnWorkers } from './worker-roles.js';

/** PostgreSQL's default (scram_iterations). */
const ITERATIONS = 4096;

/**
 * The SCRAM verifier of a password, in PostgreSQL's storage format (RFC 5802 and 7677). Statements contain it instead
 * of the password, because the server's log can contain whole statements.
 *
 * @param password ASCII only, because SASLprep is not implemented here.
 */
function scramVerifier(password: string): string {
  const salt = randomBytes(16);
  const salted = pbkdf2Sync(password, salt, ITERATIONS, 32, 'sha256');
  const keyOf = (name: string) => createHmac('sha256', salted).update(name).digest();
  const storedKey = createHash('sha256').update(keyOf('Client Key')).digest('base64');
  const serverKey = keyOf('Server Key').toString('base64');
  return `SCRAM-SHA-256$${ITERATIONS}:${salt.toString('base64')}$${storedKey}:${serverKey}`;
}

/** SQLSTATEs of PostgreSQL (appendix A of its documentation). */
const INVALID_PASSWORD = '28P01';
const INSUFFICIENT_PRIVILEGE = '42501';
const CONNECTION_FAILED = /^08/;

/** Column of pg_roles, value that the service role needs, and the option of ALTER ROLE that sets it. */
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

interface Login {
  readonly ownerUrl: string;
  readonly role: string;
}

/**
 * Returns the URL of the service role: `serviceUrl` when it is set. Otherwise creates or corrects a login role for this
 * database. Its password is derived from the owner's, so all instances compute the same one and none has to store it.
 */
export async function ensureServiceRole(
  ownerUrl: string,
  serviceUrl?: string,
  log: (line: string) => void = () => undefined,
): Promise<string> {
  // From the URL or PGPASSWORD. Read before connecting, because connecting adds the password of .pgpass.
  const { password: ownerPassword, database = '' } = setupClient(ownerUrl);
  const login: Login = { ownerUrl, role: `${database.slice(0, 50)}_service` };
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
      'DATABASE_URL has no password, so the password of the service role cannot be derived. Create a login role ' +
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
      const options = ATTRIBUTES.filter(([column, wanted]) => role[column] !== wanted).map(
        ([, , option]) => option,
      );
      if (options.length > 0) await client.query(`ALTER ROLE ${name} ${options.join(' ')}`);
      await ensurePassword(client, login, password);
    } else {
      await client.query(`CREATE ROLE ${name} LOGIN ${setPassword}`);
    }
    await ensureRoleOnWorkers(client, login.role, `LOGIN ${setPassword} IN ROLE ${SERVICE_GROUP}`);
    if (!role?.isMember) await client.query(`GRANT ${SERVICE_GROUP} TO ${name}`);
  } catch (error) {
    if ((error as pg.DatabaseError).code !== INSUFFICIENT_PRIVILEGE)
      throw setupError(`The login role ${login.role} cannot be created or changed`, error);
    throw new DatabaseSetupError(
      `The role of DATABASE_URL is not allowed to create or change the login role ${login.role} ` +
        `(${(error as Error).message}). Give it CREATEROLE, and ADMIN OPTION on the existing roles among ${login.role} ` +
        `and ${SERVICE_GROUP}; or create a login role that is a member of ${SERVICE_GROUP} and set DATABASE_SERVICE_URL.`,
      { cause: error },
    );
  }
}

async function ensurePassword(client: pg.Client, login: Login, password: string): Promise<void> {
  const accepted = await acceptsPassword(login, password);
  if (accepted) return;
  const verifier = pg.escapeLiteral(scramVerifier(password));
  try {
    await client.query(`ALTER ROLE ${pg.escapeIdentifier(login.role)} PASSWORD ${verifier}`);
  } catch (error) {
    // Citus sets it on all workers. If no password is requested, a worker that is down must not prevent the start.
    if (accepted === false || !CONNECTION_FAILED.test((error as pg.DatabaseError).code ?? '')) throw error;
  }
}

/**
 * Disables a password that anyone can compute: earlier releases derived it from an empty text when the owner had no
 * password. The role can then no longer log in.
 *
 * If this connection is accepted without a password, other connections may still need one. The password is then
 * disabled as well, unless DATABASE_SERVICE_URL is set, because an operator may have changed the password.
 */
async function disableKnownPassword(
  client: pg.Client,
  login: Login,
  serviceUrl: string | undefined,
  log: (line: string) => void,
): Promise<void> {
  const known = derivedPassword('', login);
  const used = serviceUrl === undefined ? undefined : setupClient(serviceUrl);
  // DATABASE_SERVICE_URL has another password. Trying the known one would only log a failed login on the server.
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

/** Undefined when the server does not ask for a password, or rejects the login for another reason. */
async function acceptsPassword(login: Login, password: string): Promise<boolean | undefined> {
  let isRequested = false;
  const client = setupClient(urlOf(login));
  // Set after construction: among the client's options, the URL would take precedence.
  Object.assign(client, {
    password: () => {
      isRequested = true;
      return password;
    },
  });
  try {
    await client.connect();
    return isRequested ? true : undefined;
  } catch (error) {
    return (error as pg.DatabaseError).code === INVALID_PASSWORD ? false : undefined;
  } finally {
    await client.end().catch(() => undefined);
  }
}

function urlOf({ ownerUrl, role }: Login, password = ''): string {
  return withLogin(ownerUrl, { user: role, password });
}

/**
 * Revokes from PUBLIC, and so from the service role, the privileges to create temporary objects and objects in the
 * schema `public` (docs/adr/0003). Only the owner of the database can do that; checkServiceRole warns about the
 * remaining ones.
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
