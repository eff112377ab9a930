import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { disconnectNodes, inDatabase, runAsAdmin } from './database-nodes.js';
import { databaseEnvironment, isPooled, pooledUrl } from './pooler.js';
import { WAIT_TIMEOUT_MS } from './wait-until.js';

/** The database of one spec, cloned from the migrated template. */
export interface TestDatabase {
  /** URL with the role that owns the schema. Tests use it to read and write without row-level security. */
  readonly ownerUrl: string;
  /** URL with the role that the service uses, on the server itself. */
  readonly serviceUrl: string;
  /** The same URL, through the pooler if the test run has one (npm run test:pgbouncer). */
  readonly pooledUrl: string;
  /** The settings of a service on this database. */
  readonly environment: NodeJS.ProcessEnv;
  /** Closes all connections and drops the database. */
  drop(): Promise<void>;
}

/** SQLSTATE when the database has open connections. */
const OBJECT_IN_USE = '55006';

function environment(name: string): string {
  const value = process.env[name];
  if (!value)
    throw new Error(
      `${name} is not set: jest's global set-up (test/support/runner/global-setup.mjs) has not run.`,
    );
  return value;
}

/** URLs of the nodes of the test server: one of plain PostgreSQL, or a coordinator followed by its workers. */
export function nodeUrls(): string[] {
  return environment('TEST_NODE_URLS').split(' ');
}

/** Whether the databases are distributed over the nodes of a Citus cluster. */
export function isDistributed(): boolean {
  return process.env['TEST_DISTRIBUTED'] === 'true';
}

/** SQL that raises the access version of tenant $1, so that cached rights are read again. */
export const RAISE_ACCESS_VERSION = isDistributed()
  ? 'UPDATE access_versions SET access_version = access_version + 1 WHERE tenant_id = $1'
  : 'UPDATE tenants SET access_version = access_version + 1 WHERE id = $1';

/** SQL that returns the access version of tenant $1 as `version`. */
export const READ_ACCESS_VERSION = isDistributed()
  ? 'SELECT access_version AS version FROM access_versions WHERE tenant_id = $1'
  : 'SELECT access_version AS version FROM tenants WHERE id = $1';

/**
 * Runs a statement that needs a database without other connections, and retries until it has none: another worker may
 * be cloning the template. PostgreSQL itself waits only five seconds for other connections to close.
 */
async function runAsAdminWhenUnused(node: string, statement: string): Promise<void> {
  for (const begin = Date.now(); ;) {
    try {
      await runAsAdmin(node, statement);
      return;
    } catch (error) {
      if ((error as pg.DatabaseError).code !== OBJECT_IN_USE || Date.now() - begin > WAIT_TIMEOUT_MS)
        throw error;
      await sleep(50 + Math.random() * 100);
    }
  }
}

/**
 * Tries without FORCE first: PostgreSQL waits five seconds for connections that are closing. FORCE terminates connections,
 * which makes pg emit an `error` event; a process without a listener for it would end.
 */
export async function dropDatabase(name: string): Promise<void> {
  const [node = '', ...workers] = nodeUrls();
  if (isDistributed()) await disconnectNodes(nodeUrls(), name);
  const statement = `DROP DATABASE IF EXISTS ${pg.escapeIdentifier(name)}`;
  // A pooler keeps its connections.
  const first = isPooled() ? `${statement} WITH (FORCE)` : statement;
  await runAsAdmin(node, first).catch((error: pg.DatabaseError) => {
    if (error.code !== OBJECT_IN_USE) throw error;
    return runAsAdminWhenUnused(node, `${statement} WITH (FORCE)`);
  });
  await Promise.all(workers.map((worker) => runAsAdminWhenUnused(worker, `${statement} WITH (FORCE)`)));
}

export function newDatabaseName(): string {
  const worker = process.env['JEST_WORKER_ID'] ?? '0';
  return `filing_test_${worker}_${randomBytes(6).toString('hex')}`;
}

/** Clones the migrated template, on each node of a cluster. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const templateUrl = environment('TEST_TEMPLATE_OWNER_URL');
  const template = new URL(templateUrl).pathname.slice(1);
  const name = newDatabaseName();
  const clone = `CREATE DATABASE ${pg.escapeIdentifier(name)} TEMPLATE ${pg.escapeIdentifier(template)}`;
  await Promise.all(nodeUrls().map((node) => runAsAdminWhenUnused(node, clone)));
  const ownerUrl = inDatabase(templateUrl, name);
  const serviceUrl = inDatabase(environment('TEST_TEMPLATE_SERVICE_URL'), name);
  return {
    ownerUrl,
    serviceUrl,
    pooledUrl: pooledUrl(serviceUrl),
    environment: databaseEnvironment(ownerUrl),
    drop: () => dropDatabase(name),
  };
}
