import type pg from 'pg';
import { PLANNER_SETTINGS, type SessionSettings } from '../connections/session-limits.js';
import { DatabaseSetupError, setupClient, setupError } from '../service-role/service-role.js';
import { alterRole, knownSettings } from './role-settings.js';

interface PoolerCheck {
  /** URL of the service role through the pooler. */
  readonly pooledUrl: string;
  /** URL of the service role on the server itself. */
  readonly directUrl: string;
  /** Settings that the sessions of the service role must have. */
  readonly settings: SessionSettings;
  /** Whether the service uses prepared statements. */
  readonly prepared: boolean;
}

/** Identifies the database and the run of its server. */
const IDENTITY = `
  SELECT current_user AS role, current_database() AS database, d.oid, pg_postmaster_start_time()::text AS "startedAt"
    FROM pg_database d WHERE d.datname = current_database()`;

interface Identity {
  readonly role: string;
  readonly database: string;
  readonly oid: number;
  readonly startedAt: string;
}

/** A time limit, `0` for none; instances with other limits may have set them. */
const TIMEOUT = /_timeout$/;
const LIMITS: pg.ClientConfig = { connectionTimeoutMillis: 30_000, query_timeout: 30_000 };
const PROBE = 'filing_service_probe';

/** Throws a DatabaseSetupError when requests cannot be served through the pooler as through direct connections. */
export async function checkPooler(
  { pooledUrl, directUrl, settings, prepared }: PoolerCheck,
  warn: (line: string) => void,
): Promise<void> {
  const direct = await connect(directUrl, 'on the server of DATABASE_DIRECT_URL');
  try {
    const pooled = await connect(pooledUrl, 'through the pooler');
    try {
      await checkIdentity(pooled, direct);
      await checkSettings(pooled, await knownSettings(direct, settings), warn);
      if (prepared) await checkPreparedStatements(pooled);
    } catch (error) {
      throw setupError('The pooler cannot be used', error);
    } finally {
      await pooled.end().catch(() => undefined);
    }
  } finally {
    await direct.end().catch(() => undefined);
  }
}

async function connect(url: string, where: string): Promise<pg.Client> {
  const client = setupClient(url, LIMITS);
  try {
    await client.connect();
    return client;
  } catch (error) {
    await client.end().catch(() => undefined);
    throw setupError(`The service role cannot log in ${where}`, error);
  }
}

async function identityOf(client: pg.Client): Promise<Identity> {
  const { rows } = await client.query<Identity>(IDENTITY);
  const [row] = rows;
  if (!row) throw new Error('the database has no name');
  return row;
}

async function checkIdentity(pooled: pg.Client, direct: pg.Client): Promise<void> {
  const through = await identityOf(pooled);
  const expected = await identityOf(direct);
  if (through.oid !== expected.oid || through.startedAt !== expected.startedAt)
    throw new DatabaseSetupError(
      `The pooler leads to another database (${through.database}) than DATABASE_DIRECT_URL (${expected.database}). ` +
        'Set both to the same database of the same server.',
    );
  if (through.role !== expected.role)
    throw new DatabaseSetupError(
      `The pooler logs in as the role ${through.role} instead of ${expected.role}. Remove the user from its entry of the database.`,
    );
}

async function checkSettings(
  pooled: pg.Client,
  settings: SessionSettings,
  warn: (line: string) => void,
): Promise<void> {
  const { rows } = await pooled.query<{ name: string; value: string }>(
    `SELECT s.name, s.setting AS value FROM unnest($1::text[]) AS n (name) JOIN pg_settings s ON lower(s.name) = lower(n.name)`,
    [Object.keys(settings)],
  );
  const current = new Map(rows.map(({ name, value }) => [name.toLowerCase(), value]));
  const other = Object.entries(settings).filter(
    // DateStyle also has the order of day and month.
    ([name, value]) => (current.get(name.toLowerCase()) ?? '').split(',')[0] !== value,
  );
  if (other.length === 0) return;
  const { role, database } = await identityOf(pooled);
  const found = other.map(([name]) => `${name} = ${current.get(name.toLowerCase()) ?? ''}`).join(', ');
  const advice =
    `Run as its administrator: ${alterRole(role, database, Object.fromEntries(other)).join('; ')}; ` +
    'then RECONNECT in the console of the pooler.';
  const isMissing = other.some(
    ([name]) =>
      !(name in PLANNER_SETTINGS) && (!TIMEOUT.test(name) || current.get(name.toLowerCase()) === '0'),
  );
  if (isMissing)
    throw new DatabaseSetupError(
      `Through the pooler, the sessions of the role ${role} lack settings (${found}). ${advice}`,
    );
  warn(
    `Warning: through the pooler, the sessions of the role ${role} have other settings (${found}). ${advice}`,
  );
}

/** A pooler that does not track prepared statements passes their names on unchanged. */
async function checkPreparedStatements(pooled: pg.Client): Promise<void> {
  // In a transaction, the pooler keeps the server's connection.
  await pooled.query('BEGIN');
  const { rows } = await pooled.query<{ isSame: boolean; pid: number }>({
    name: PROBE,
    text: 'SELECT EXISTS (SELECT FROM pg_prepared_statements WHERE name = $1) AS "isSame", pg_backend_pid() AS pid',
    values: [PROBE],
  });
  if (rows[0]?.isSame) await pooled.query(`DEALLOCATE ${PROBE}`);
  await pooled.query('ROLLBACK');
  // Without a pooler, the client knows the process of the server that it is connected to.
  const { processID } = pooled as unknown as { processID: number };
  if (rows[0]?.isSame && rows[0].pid !== processID)
    throw new DatabaseSetupError(
      'The pooler does not track prepared statements. Set DATABASE_PREPARED=false, or use PgBouncer 1.21 or newer with max_prepared_statements above 0.',
    );
}
