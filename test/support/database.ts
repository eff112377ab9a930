import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { WAIT_TIMEOUT_MS } from './wait-until.js';

/** A database of one spec: a copy of the migrated template. */
export interface TestDatabase {
  /** Owns the schema; for what a test arranges or checks past row level security. */
  readonly ownerUrl: string;
  /** The role that serves requests. */
  readonly serviceUrl: string;
  /** Ends all connections to it and removes it. */
  drop(): Promise<void>;
}

/** SQLSTATE of a database that somebody is connected to. */
const OBJECT_IN_USE = '55006';

/** The same server and role, another database. */
export function inDatabase(url: string, database: string): string {
  const result = new URL(url);
  result.pathname = `/${encodeURIComponent(database)}`;
  return result.toString();
}

function environment(name: string): string {
  const value = process.env[name];
  if (!value)
    throw new Error(`${name} is not set: jest's global set-up (test/support/global-setup.mjs) has not run.`);
  return value;
}

async function runAsAdmin(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: environment('TEST_ADMIN_URL') });
  await client.connect();
  await client.query(statement).finally(() => client.end());
}

/**
 * What wants a database for itself, as soon as nobody else is in it: somebody may just be looking at the template, and
 * who is told to leave is waited for by PostgreSQL for five seconds.
 */
async function runAsAdminWhenUnused(statement: string): Promise<void> {
  for (const begin = Date.now(); ;) {
    try {
      return await runAsAdmin(statement);
    } catch (error) {
      if ((error as pg.DatabaseError).code !== OBJECT_IN_USE || Date.now() - begin > WAIT_TIMEOUT_MS)
        throw error;
      await sleep(50 + Math.random() * 100);
    }
  }
}

/**
 * Lets connections that are still closing end by themselves: PostgreSQL waits five seconds for them. FORCE ends them with
 * an error message, and pg emits that as an `error` event, which ends a process that no longer listens for it.
 */
async function dropDatabase(name: string): Promise<void> {
  const statement = `DROP DATABASE IF EXISTS ${pg.escapeIdentifier(name)}`;
  await runAsAdmin(statement).catch((error: pg.DatabaseError) => {
    if (error.code !== OBJECT_IN_USE) throw error;
    return runAsAdminWhenUnused(`${statement} WITH (FORCE)`);
  });
}

/** Clones the migrated template. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const templateUrl = environment('TEST_TEMPLATE_OWNER_URL');
  const template = new URL(templateUrl).pathname.slice(1);
  const worker = process.env['JEST_WORKER_ID'] ?? '0';
  const name = `filing_test_${worker}_${randomBytes(6).toString('hex')}`;
  await runAsAdminWhenUnused(
    `CREATE DATABASE ${pg.escapeIdentifier(name)} TEMPLATE ${pg.escapeIdentifier(template)}`,
  );
  return {
    ownerUrl: inDatabase(templateUrl, name),
    serviceUrl: inDatabase(environment('TEST_TEMPLATE_SERVICE_URL'), name),
    drop: () => dropDatabase(name),
  };
}
