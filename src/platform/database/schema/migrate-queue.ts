import { Logger, runMigrations } from 'graphile-worker';
import pg from 'pg';
import { SERVICE_GROUP } from '../service-role/service-role.js';
import { QUEUE_SCHEMA } from './queue-schema.js';

/**
 * What the serving role may do in the queue: add jobs (a transaction of a tenant), take, finish and hand back jobs (a
 * worker). The tables have row level security without policies, so each needs one as well.
 */
const PRIVILEGES = {
  _private_jobs: 'SELECT, INSERT, UPDATE, DELETE',
  _private_tasks: 'SELECT, INSERT',
  _private_job_queues: 'SELECT, INSERT, UPDATE',
};

/** Finds the first job of each tenant without looking at the others (src/platform/jobs/fair-share.ts). */
const INDEX = `CREATE INDEX IF NOT EXISTS jobs_by_tenant ON ${QUEUE_SCHEMA}._private_jobs
  ((payload ->> 'tenantId'), priority, run_at) WHERE is_available`;

const SILENT = new Logger(() => () => undefined);

/** Brings the tables of the job queue up to date, as their owner, and opens them to the serving role. */
export async function migrateQueue(ownerUrl: string): Promise<void> {
  const pool = new pg.Pool({ connectionString: ownerUrl, max: 1, application_name: 'filing-service setup' });
  // graphile-worker wants somebody to listen; whoever waits for an answer is told of the fault anyway.
  const ignore = () => undefined;
  pool.on('error', ignore).on('connect', (client) => client.on('error', ignore));
  try {
    await runMigrations({ pgPool: pool, schema: QUEUE_SCHEMA, logger: SILENT });
    await openToService(pool);
    await pool.query(INDEX);
  } finally {
    await pool.end();
  }
}

/** Nothing is changed where it is open already: changing a policy would wait for the workers of other instances. */
async function openToService(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ table: string }>(
    'SELECT tablename AS table FROM pg_policies WHERE schemaname = $1 AND policyname = $2',
    [QUEUE_SCHEMA, SERVICE_GROUP],
  );
  const open = new Set(rows.map(({ table }) => table));
  const closed = Object.entries(PRIVILEGES).filter(([table]) => !open.has(table));
  if (closed.length === 0) return;
  const statements = closed.map(
    ([table, privileges]) =>
      `GRANT ${privileges} ON ${QUEUE_SCHEMA}.${table} TO ${SERVICE_GROUP};
       CREATE POLICY ${SERVICE_GROUP} ON ${QUEUE_SCHEMA}.${table} TO ${SERVICE_GROUP} USING (true) WITH CHECK (true);`,
  );
  await pool.query(`GRANT USAGE ON SCHEMA ${QUEUE_SCHEMA} TO ${SERVICE_GROUP}; ${statements.join('\n')}`);
}
