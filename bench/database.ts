import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { startEmbeddedPostgres } from '../src/platform/database/embedded/embedded-postgres.js';
import { migrateDatabase } from '../src/platform/database/schema/migrate.js';
import { inDatabase } from '../test/support/database-nodes.js';
import { log } from './report.js';

const DATABASE = 'filing_bench';
const DROP_DATABASE = `DROP DATABASE IF EXISTS ${DATABASE} WITH (FORCE)`;
/** Enough connections for the pools of all servers. */
const SETTINGS = { max_connections: '200' };
const PEER_ROLE = 'filing_bench_peer';
const PEER_PASSWORD = 'bench';

export interface BenchDatabase {
  /** URL of the superuser, for migrations, seed data and settings. */
  readonly ownerUrl: string;
  /** URL of a role without row-level security (BYPASSRLS): the peers have no tenant isolation. */
  readonly peerUrl: string;
  readonly folder: string;
  readonly version: string;
  stop(): Promise<void>;
}

/** Opens the migrated database of the run, on an embedded server or on that of `DATABASE_URL`. */
export async function openBenchDatabase(
  databaseUrl: string | undefined,
  dataFolder: string | undefined,
): Promise<BenchDatabase> {
  const isKept = dataFolder !== undefined;
  const folder = path.resolve(dataFolder ?? (await mkdtemp(path.join(os.tmpdir(), 'filing-bench-'))));
  await mkdir(folder, { recursive: true });
  // PostgreSQL does not run as root; its user needs access to the folder.
  await chmod(folder, 0o755);
  const embedded =
    databaseUrl === undefined
      ? await startEmbeddedPostgres({ directory: folder, log, settings: SETTINGS })
      : undefined;
  const serverUrl = databaseUrl ?? embedded?.url ?? '';
  const ownerUrl = inDatabase(serverUrl, DATABASE);
  const dispose = async () => {
    if (!isKept) await withClient(serverUrl, (client) => client.query(DROP_DATABASE));
    await embedded?.stop();
    if (!isKept) await rm(folder, { recursive: true, force: true });
  };
  try {
    await withClient(serverUrl, async (client) => {
      if (!isKept) await client.query(DROP_DATABASE);
      const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [DATABASE]);
      if (!rowCount) await client.query(`CREATE DATABASE ${DATABASE}`);
    });
    await migrateDatabase(ownerUrl);
    const version = await withClient(ownerUrl, async (client) => {
      await makePeerRole(client);
      const { rows } = await client.query<{ version: string }>(
        `SELECT current_setting('server_version') AS version`,
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

/** Sets synchronous_commit for all sessions, including open ones; null resets it. */
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
