import type pg from 'pg';
import { DatabaseSetupError, SERVICE_GROUP, withSetupLock } from '../service-role/service-role.js';
import { ACCESS_VERSIONS } from '../transactions/database-layout.js';
import { TENANT_CONDITION, tenantTable } from '../schema/tenant-table.js';
import {
  DROPPED_FOREIGN_KEYS,
  type Query,
  distributeTable,
  distributionOf,
  isDistributed,
  queryOf,
  tenantTables,
} from './distributed-schema.js';

/** Copied to every node: rows of all tenants refer to them, or they are read before the tenant is known. */
const REFERENCE_TABLES = ['users', 'tenants', 'tenant_slugs', 'service_secrets'];

type Log = (line: string) => void;

/**
 * Turns a migrated schema on the coordinator of a Citus cluster into a distributed one, with or without data
 * (docs/adr/0035). Each table is distributed in a transaction of its own: a repeated run continues after an
 * interruption, and changes nothing in a distributed schema.
 *
 * @param shards Number of shards of each table
 */
export async function distributeDatabase(ownerUrl: string, shards: number, log: Log): Promise<void> {
  await withSetupLock(ownerUrl, async (client) => {
    const query = queryOf(client);
    await checkCoordinator(query);
    if ((await distributionOf(query)) === 'distributed') {
      log('The schema is already distributed.');
      return;
    }
    await checkUnused(query);
    await query(`SET citus.multi_shard_modify_mode = 'sequential'`);
    await query(`SET citus.shard_count = ${shards}`);
    await inTransaction(client, () => dropForeignKeys(query));
    for (const table of REFERENCE_TABLES) await distributeOnce(client, query, table, 'reference', log);
    await inTransaction(client, () => createAccessVersions(query));
    await inTransaction(client, () => adaptPolicies(query));
    for (const table of await tenantTables(query, REFERENCE_TABLES))
      await distributeOnce(client, query, table, 'tenant', log);
    await createForeignKeys(client, query, log);
  });
}

async function checkCoordinator(query: Query): Promise<void> {
  const [extension] = await query('SELECT FROM pg_extension WHERE extname = $1', ['citus']);
  if (!extension)
    throw new DatabaseSetupError(
      'The database of DATABASE_URL has no Citus extension. Distribute only on the coordinator of a Citus cluster.',
    );
  const [cluster] = await query<{ isCoordinator: boolean; nodes: number }>(
    `SELECT citus_is_coordinator() AS "isCoordinator",
            (SELECT count(*)::int FROM pg_dist_node WHERE isactive AND shouldhaveshards AND noderole = 'primary') AS nodes`,
  );
  if (!cluster?.isCoordinator)
    throw new DatabaseSetupError(
      'DATABASE_URL is a worker of the Citus cluster. Use the URL of the coordinator.',
    );
  if (cluster.nodes === 0)
    throw new DatabaseSetupError('The Citus cluster has no node for data. Add one with citus_add_node().');
  const [schema] = await query(`SELECT FROM pg_class WHERE oid = to_regclass('public.migrations')`);
  if (!schema)
    throw new DatabaseSetupError('The database has no schema yet. Start the service once to create it.');
}

/** Other instances could violate the foreign keys while they are dropped. */
async function checkUnused(query: Query): Promise<void> {
  const [used] = await query<{ connections: number }>(
    `SELECT count(*)::int AS connections FROM pg_stat_activity
      WHERE datname = current_database() AND application_name LIKE 'filing-service%' AND pid <> pg_backend_pid()
     HAVING count(*) > 0`,
  );
  if (used)
    throw new DatabaseSetupError(
      `The service uses the database (${used.connections} connections). Stop all instances and workers first.`,
    );
}

async function inTransaction(client: pg.Client, work: () => Promise<void>): Promise<void> {
  await client.query('BEGIN');
  try {
    await work();
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

/** Citus distributes a table only if the tables of its foreign keys are already distributed. */
async function dropForeignKeys(query: Query): Promise<void> {
  await query(
    `CREATE TABLE IF NOT EXISTS ${DROPPED_FOREIGN_KEYS}
       (table_name text NOT NULL, name text PRIMARY KEY, definition text NOT NULL)`,
  );
  const keys = await query<{ table: string; name: string; definition: string }>(
    `SELECT conrelid::regclass::text AS table, conname AS name, pg_get_constraintdef(oid) AS definition
       FROM pg_constraint WHERE contype = 'f' AND connamespace = 'public'::regnamespace`,
  );
  for (const { table, name, definition } of keys) {
    await query(`INSERT INTO ${DROPPED_FOREIGN_KEYS} VALUES ($1, $2, $3) ON CONFLICT (name) DO NOTHING`, [
      table,
      name,
      definition,
    ]);
    await query(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`);
  }
}

async function distributeOnce(
  client: pg.Client,
  query: Query,
  table: string,
  kind: 'tenant' | 'reference',
  log: Log,
): Promise<void> {
  if (await isDistributed(query, table)) return;
  await inTransaction(client, () => distributeTable(query, table, kind));
  log(`${kind === 'tenant' ? 'distributed' : 'copied to every node'}: ${table}`);
}

/**
 * The access versions get a table that is distributed with the tenant's data. In the reference table `tenants`, a node
 * that has not yet committed a change would still return the former version, and with it the former rights.
 */
async function createAccessVersions(query: Query): Promise<void> {
  const [existing] = await query(`SELECT FROM pg_class WHERE oid = to_regclass('${ACCESS_VERSIONS}')`);
  if (existing) return;
  await query(`
    CREATE TABLE ${ACCESS_VERSIONS} (
      tenant_id uuid CONSTRAINT pk_${ACCESS_VERSIONS} PRIMARY KEY,
      access_version bigint NOT NULL DEFAULT 1
    )`);
  await query(
    `INSERT INTO ${ACCESS_VERSIONS} (tenant_id, access_version) SELECT id, access_version FROM tenants`,
  );
  await tenantTable({ query }, ACCESS_VERSIONS, 'SELECT, INSERT, UPDATE');
  await query(
    `INSERT INTO ${DROPPED_FOREIGN_KEYS}
     VALUES ('${ACCESS_VERSIONS}', 'fk_${ACCESS_VERSIONS}_tenant', 'FOREIGN KEY (tenant_id) REFERENCES tenants (id)')`,
  );
}

const OWN_ACTOR = `actor_id IS NOT DISTINCT FROM nullif(current_setting('app.actor_id', true), '')::uuid`;
/** Allows for the clocks of the nodes, and for transactions that use another node first. */
const CURRENT_TIME = `occurred_at BETWEEN now() - interval '10 minutes' AND now() + interval '10 minutes'`;

/**
 * Changes policies and privileges to what Citus can copy to the shards:
 * - It copies restrictive policies as permissive ones, so the check of the actor becomes part of the tenant's policy.
 * - It adds the defaults of columns to each INSERT, so the service role needs the privilege for these columns. The policy
 *   then checks the time of audit entries.
 * - The view `own_tenants` has its owner's privileges only on the coordinator, so the service role may read a user's
 *   memberships itself. These policies apply only when a transaction sets a user and no tenant.
 */
async function adaptPolicies(query: Query): Promise<void> {
  if (await isDistributed(query, 'roles')) return;
  await query('GRANT INSERT (occurred_at) ON audit_entries TO filing_service_role');
  await query('GRANT INSERT (created_at) ON notifications TO filing_service_role');
  await query('DROP POLICY IF EXISTS actor_of_transaction ON audit_entries');
  await query(
    `ALTER POLICY tenant_wall ON audit_entries
       WITH CHECK (${TENANT_CONDITION} AND ${OWN_ACTOR} AND ${CURRENT_TIME})`,
  );
  const isUsers = `nullif(current_setting('app.tenant_id', true), '') IS NULL AND`;
  const conditions = {
    members: `user_id = nullif(current_setting('app.user_id', true), '')::uuid`,
    expected_members: `email_key = nullif(current_setting('app.user_email_key', true), '')`,
    roles: `nullif(current_setting('app.user_id', true), '') IS NOT NULL`,
  };
  for (const [table, condition] of Object.entries(conditions)) {
    await query(`DROP POLICY IF EXISTS rows_of_user ON ${table}`);
    await query(
      `CREATE POLICY rows_of_user ON ${table} FOR SELECT TO ${SERVICE_GROUP} USING (${isUsers} ${condition})`,
    );
  }
}

async function createForeignKeys(client: pg.Client, query: Query, log: Log): Promise<void> {
  const keys = await query<{ table: string; name: string; definition: string }>(
    `SELECT table_name AS table, name, definition FROM ${DROPPED_FOREIGN_KEYS} ORDER BY table_name, name`,
  );
  for (const { table, name, definition } of keys) {
    await inTransaction(client, async () => {
      await query(`ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition}`);
      await query(`DELETE FROM ${DROPPED_FOREIGN_KEYS} WHERE name = $1`, [name]);
    });
  }
  await query(`DROP TABLE ${DROPPED_FOREIGN_KEYS}`);
  log(`foreign keys: ${keys.length}`);
}
