import { ownerDataSource } from '../data-source.js';
import { unreachableWorkers } from '../distribution/cluster-workers.js';
import { queryOf } from '../distribution/distributed-schema.js';
import { ensureServiceGroup } from '../service-role/service-group.js';
import { DatabaseSetupError, withSetupLock, SERVICE_GROUP } from '../service-role/service-role.js';
import { layoutOf } from '../transactions/database-layout.js';
import { updateBuiltInRoles } from './built-in-roles.js';
import { checkEventLogOrigin } from './event-log-origin.js';
import { type MigrationWithNotes } from './migration-with-notes.js';
import { Logger, runMigrations } from 'graphile-worker';
import pg from 'pg';
import { QUEUE_SCHEMA } from './queue-schema.js';

/**
 * Privileges of the service role on the tables of the job queue: transactions of tenants add jobs; workers take,
 * finish and return them. graphile-worker enables row-level security without policies, so each table also needs a
 * policy.
 */
const PRIVILEGES = {
  _private_jobs: 'SELECT, INSERT, UPDATE, DELETE',
  _private_tasks: 'SELECT, INSERT',
  _private_job_queues: 'SELECT, INSERT, UPDATE',
};

/** Finds the first job of each tenant without reading the other jobs (src/platform/jobs/fair-share.ts). */
const INDEX = `CREATE INDEX IF NOT EXISTS jobs_by_tenant ON ${QUEUE_SCHEMA}._private_jobs
  ((payload ->> 'tenantId'), priority, run_at) WHERE is_available`;

const SILENT = new Logger(() => () => undefined);

async function migrateQueue(ownerUrl: string): Promise<void> {
  const pool = new pg.Pool({ connectionString: ownerUrl, max: 1, application_name: 'filing-service setup' });
  // graphile-worker warns about a pool without error listeners. The pending query rejects anyway.
  const ignore = () => undefined;
  pool.on('error', ignore).on('connect', (client) => client.on('error', ignore));
  try {
    await runMigrations({ pgPool: pool, schema: QUEUE_SCHEMA, logger: SILENT });
    await grantAccess(pool);
    await pool.query(INDEX);
  } finally {
    await pool.end();
  }
}

/**
 * Skips tables that already have the policy: creating it needs a lock, which would wait for workers of other
 * instances.
 */
async function grantAccess(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ table: string }>(
    'SELECT tablename AS table FROM pg_policies WHERE schemaname = $1 AND policyname = $2',
    [QUEUE_SCHEMA, SERVICE_GROUP],
  );
  const granted = new Set(rows.map(({ table }) => table));
  const missing = Object.entries(PRIVILEGES).filter(([table]) => !granted.has(table));
  if (missing.length === 0) return;
  const statements = missing.map(
    ([table, privileges]) =>
      `GRANT ${privileges} ON ${QUEUE_SCHEMA}.${table} TO ${SERVICE_GROUP};
       CREATE POLICY ${SERVICE_GROUP} ON ${QUEUE_SCHEMA}.${table} TO ${SERVICE_GROUP} USING (true) WITH CHECK (true);`,
  );
  await pool.query(`GRANT USAGE ON SCHEMA ${QUEUE_SCHEMA} TO ${SERVICE_GROUP}; ${statements.join('\n')}`);
}

/**
 * Migrates schema, job queue and built-in roles. Instances that start at the same time run this one after another. Succeeds
 * while a worker of a Citus cluster is down if there is nothing to change.
 */
export async function migrateDatabase(
  ownerUrl: string,
  log: (line: string) => void = () => undefined,
): Promise<void> {
  await withSetupLock(ownerUrl, async (client) => {
    await layoutOf(queryOf(client)); // Refuses an interrupted distribution.
    const unreachable = await unreachableWorkers(queryOf(client));
    for (const [node, reason] of unreachable)
      log(
        `Warning: the worker ${node} does not answer (${reason}). Until it does, its tenants get a 503, and so do changes of ` +
          'users and tenants.',
      );
    await ensureServiceGroup(client);
    const dataSource = ownerDataSource(ownerUrl);
    await dataSource.initialize();
    try {
      const done = await dataSource.runMigrations({ transaction: 'each' });
      for (const { name, instance } of done) {
        log(`migrated: ${name}`);
        (instance as Partial<MigrationWithNotes> | undefined)?.notes?.forEach(log);
      }
      await migrateQueue(ownerUrl);
      await updateBuiltInRoles(client);
      await checkEventLogOrigin(client, log);
    } catch (error) {
      const nodes = [...unreachable.keys()].join(', ');
      const advice = nodes && ` It needs all workers. These do not answer: ${nodes}.`;
      const message = `The schema migration failed: ${(error as Error).message}.${advice}`;
      throw new DatabaseSetupError(message, { cause: error });
    } finally {
      await dataSource.destroy();
    }
  });
}
