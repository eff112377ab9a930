import type pg from 'pg';
import { inTransaction } from '../in-transaction.js';
import { migrateDatabase } from '../schema/migrate.js';
import { tenantTable } from '../schema/tenant-table.js';
import { DatabaseSetupError, withSetupLock } from '../service-role/service-role.js';
import { ACCESS_VERSIONS } from '../transactions/database-layout.js';
import { checkCluster, checkUnused } from './distribution-checks.js';
import {
  DROPPED_FOREIGN_KEYS,
  type Query,
  REFERENCE_TABLES,
  distributeTable,
  distributionOf,
  isDistributed,
  queryOf,
  shardsOf,
  tenantTables,
} from './distributed-schema.js';
import { adaptPolicies } from './shard-policies.js';

/** How long to wait for a table that another session has locked, for example a running pg_dump. */
const LOCK_TIMEOUT = '60s';

type Log = (line: string) => void;

/**
 * Turns the schema on the coordinator of a Citus cluster into a distributed one, with or without data (docs/adr/0035).
 * Migrates the schema first. Each table is distributed in a transaction of its own: a repeated run continues after an
 * interruption, and changes nothing in a distributed schema.
 *
 * @param shards Number of shards of each table
 */
export async function distributeDatabase(ownerUrl: string, shards: number, log: Log): Promise<void> {
  const before = await withSetupLock(ownerUrl, async (client) => {
    await checkCluster(queryOf(client));
    const distribution = await distributionOf(queryOf(client));
    if (distribution !== 'distributed') await checkUnused(queryOf(client));
    return distribution;
  });
  if (before === 'interrupted') log('Continuing an interrupted distribution.');
  else await migrateDatabase(ownerUrl, log);
  await withSetupLock(ownerUrl, async (client) => {
    const query = queryOf(client);
    const nodes = await checkCluster(query);
    if ((await distributionOf(query)) === 'distributed') {
      log(`The database is already distributed, in ${await shardsOf(query)} shards over ${nodes} nodes.`);
      return;
    }
    await checkUnused(query);
    try {
      await distribute(client, query, shards, log);
    } catch (error) {
      throw new DatabaseSetupError(
        `The distribution was interrupted: ${(error as Error).message}. Repeat it to continue.`,
        { cause: error },
      );
    }
    log(`Distributed the database in ${await shardsOf(query)} shards over ${nodes} nodes.`);
  });
}

async function distribute(client: pg.Client, query: Query, shards: number, log: Log): Promise<void> {
  await query('SET statement_timeout = 0');
  await query(`SET lock_timeout = '${LOCK_TIMEOUT}'`);
  await query(`SET citus.multi_shard_modify_mode = 'sequential'`);
  await query(`SET citus.shard_count = ${shards}`);
  if ((await distributionOf(query)) === 'none') await inTransaction(client, () => dropForeignKeys(query));
  for (const table of REFERENCE_TABLES) await distributeOnce(client, query, table, 'reference', log);
  const accessVersions = await query('SELECT FROM pg_class WHERE oid = to_regclass($1)', [ACCESS_VERSIONS]);
  if (accessVersions.length === 0)
    await inTransaction(client, async () => {
      await createAccessVersions(query);
      await adaptPolicies(query);
    });
  for (const table of await tenantTables(query, REFERENCE_TABLES))
    await distributeOnce(client, query, table, 'tenant', log);
  await createForeignKeys(client, query, log);
}

/** Citus distributes a table only if the tables of its foreign keys are already distributed. */
async function dropForeignKeys(query: Query): Promise<void> {
  await query(
    `CREATE TABLE ${DROPPED_FOREIGN_KEYS} (table_name text NOT NULL, name text PRIMARY KEY, definition text NOT NULL)`,
  );
  const keys = await query<{ table: string; name: string }>(
    `INSERT INTO ${DROPPED_FOREIGN_KEYS}
     SELECT conrelid::regclass, conname, pg_get_constraintdef(oid)
       FROM pg_constraint WHERE contype = 'f' AND connamespace = 'public'::regnamespace
     RETURNING table_name AS table, name`,
  );
  for (const { table, name } of keys) await query(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`);
}

async function distributeOnce(
  client: pg.Client,
  query: Query,
  table: string,
  kind: 'tenant' | 'reference',
  log: Log,
): Promise<void> {
  if (await isDistributed(query, table)) return;
  const begin = Date.now();
  await inTransaction(client, async () => {
    await distributeTable(query, table, kind);
    // Citus keeps the rows that it has copied, invisible, in the file of the table.
    await query('SELECT truncate_local_data_after_distributing_table($1)', [table]);
  });
  const seconds = ((Date.now() - begin) / 1000).toFixed(1);
  log(`${kind === 'tenant' ? 'distributed' : 'copied to every node'}: ${table} (${seconds} s)`);
}

/**
 * The access versions get a table that is distributed with the tenant's data. In the reference table `tenants`, a node
 * that has not yet committed a change would still return the former version, and with it the former rights.
 */
async function createAccessVersions(query: Query): Promise<void> {
  await query(`
    CREATE TABLE ${ACCESS_VERSIONS} (
      tenant_id uuid CONSTRAINT pk_${ACCESS_VERSIONS} PRIMARY KEY,
      access_version bigint NOT NULL DEFAULT 1,
      suspended_at timestamptz(3)
    )`);
  await query(
    `INSERT INTO ${ACCESS_VERSIONS} (tenant_id, access_version, suspended_at)
     SELECT id, access_version, suspended_at FROM tenants`,
  );
  await tenantTable({ query }, ACCESS_VERSIONS, 'SELECT, INSERT, UPDATE (access_version)');
  await query(
    `INSERT INTO ${DROPPED_FOREIGN_KEYS}
     VALUES ('${ACCESS_VERSIONS}', 'fk_${ACCESS_VERSIONS}_tenant', 'FOREIGN KEY (tenant_id) REFERENCES tenants (id)')`,
  );
}

async function createForeignKeys(client: pg.Client, query: Query, log: Log): Promise<void> {
  const tables = await query<{ table: string; keys: string[]; additions: string[] }>(
    `SELECT table_name AS table, array_agg(name) AS keys,
            array_agg('ADD CONSTRAINT ' || name || ' ' || definition) AS additions
       FROM ${DROPPED_FOREIGN_KEYS} GROUP BY table_name ORDER BY table_name`,
  );
  for (const { table, keys, additions } of tables) {
    await inTransaction(client, async () => {
      for (const addition of additions) await query(`ALTER TABLE ${table} ${addition}`);
      await query(`DELETE FROM ${DROPPED_FOREIGN_KEYS} WHERE name = ANY ($1)`, [keys]);
    });
    log(`foreign keys: ${table} (${keys.length})`);
  }
  await query(`DROP TABLE ${DROPPED_FOREIGN_KEYS}`);
}
