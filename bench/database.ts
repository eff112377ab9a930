import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { startEmbeddedPostgres } from '../src/platform/database/embedded/embedded-postgres.js';
import { migrateDatabase } from '../src/platform/database/schema/migrate.js';

const DATABASE = 'filing_bench';
/** For the pools of all servers at once. */
const SETTINGS = { max_connections: '200' };
const PEER_ROLE = 'filing_bench_peer';
const PEER_PASSWORD = 'bench';

export interface BenchDatabase {
  /** URL of the superuser: migrations, seeding, settings. */
  readonly ownerUrl: string;
  /** URL of a role that row level security does not hold: the peers know no tenants' wall. */
  readonly peerUrl: string;
  /** A folder for what the processes write. */
  readonly folder: string;
  readonly version: string;
  stop(): Promise<void>;
}

/** The migrated database of the run, on an embedded server or on that of `DATABASE_URL`. */
export async function openBenchDatabase(
  given: string | undefined,
  kept: string | undefined,
  log: (line: string) => void,
): Promise<BenchDatabase> {
  const folder = path.resolve(kept ?? (await mkdtemp(path.join(os.tmpdir(), 'filing-bench-'))));
  await mkdir(folder, { recursive: true });
  // PostgreSQL does not run as root; its own user has to come in.
  await chmod(folder, 0o755);
  const embedded =
    given === undefined
      ? await startEmbeddedPostgres({ directory: folder, log, settings: SETTINGS })
      : undefined;
  const serverUrl = given ?? embedded?.url ?? '';
  const ownerUrl = withDatabase(serverUrl, DATABASE);
  const dispose = async () => {
    if (given !== undefined && kept === undefined) {
      await withClient(serverUrl, (client) =>
        client.query(`DROP DATABASE IF EXISTS ${DATABASE} WITH (FORCE)`),
      );
    }
    await embedded?.stop();
    if (kept === undefined) await rm(folder, { recursive: true, force: true });
  };
  try {
    await withClient(serverUrl, async (client) => {
      const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [DATABASE]);
      if (rowCount && kept === undefined) await client.query(`DROP DATABASE ${DATABASE} WITH (FORCE)`);
      if (!rowCount || kept === undefined) await client.query(`CREATE DATABASE ${DATABASE}`);
    });
    await migrateDatabase(ownerUrl);
    const version = await withClient(ownerUrl, async (client) => {
      await makePeerRole(client);
      const { rows } = await client
        .query<{ version: string }>('SHOW server_version AS version')
        .catch(() =>
          client.query<{ version: string }>(`SELECT current_setting('server_version') AS version`),
        );
      return rows[0]?.version ?? '';
    });
    const peerUrl = new URL(ownerUrl);
    peerUrl.username = PEER_ROLE;
    peerUrl.password = PEER_PASSWORD;
    return { ownerUrl, peerUrl: peerUrl.toString(), folder, version, stop: dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}

async function makePeerRole(client: pg.Client): Promise<void> {
  const { rowCount } = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [PEER_ROLE]);
  await client.query(
    `${rowCount ? 'ALTER' : 'CREATE'} ROLE ${PEER_ROLE} LOGIN BYPASSRLS PASSWORD '${PEER_PASSWORD}'`,
  );
  await client.query(`GRANT SELECT, INSERT ON ALL TABLES IN SCHEMA public TO ${PEER_ROLE}`);
}

export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, options: '-c TimeZone=UTC' });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** For all sessions at once, also those that are open; null takes it back. */
export async function setSynchronousCommit(ownerUrl: string, value: 'on' | 'off' | null): Promise<void> {
  await withClient(ownerUrl, async (client) => {
    await client.query(
      value === null
        ? 'ALTER SYSTEM RESET synchronous_commit'
        : `ALTER SYSTEM SET synchronous_commit = ${value}`,
    );
    await client.query('SELECT pg_reload_conf()');
    await client.query('SELECT pg_sleep(0.5)');
  });
}

function withDatabase(url: string, database: string): string {
  const changed = new URL(url);
  changed.pathname = `/${database}`;
  return changed.toString();
}
