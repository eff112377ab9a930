import pg from 'pg';
import { type DataSource } from 'typeorm';
import { openDatabase } from '../../../src/application.js';
import { newId } from '../../../src/common/identifier.js';
import { loadConfiguration } from '../../../src/platform/config/configuration.js';
import { ScheduledTasks } from '../../../src/platform/database/scheduled-tasks.js';
import { type WriteTransaction } from '../../../src/platform/database/transactions/tenant-transaction.js';
import { UnitOfWork } from '../../../src/platform/database/transactions/unit-of-work.js';
import { DeadWorkers } from '../../../src/platform/jobs/dead-workers.js';
import { type Job } from '../../../src/platform/jobs/job.js';
import { JobMetrics } from '../../../src/platform/jobs/job-metrics.js';
import { DELAYS, JobRunner } from '../../../src/platform/jobs/job-runner.js';
import { Recording } from '../../../src/platform/recording/recording.js';
import { serviceContext } from '../../../src/platform/tenancy/access/access.directory.js';
import { type TestDatabase, createTestDatabase } from '../../support/database.js';
import { setRoleSettings } from '../../support/pooler.js';
import { LONG_DATABASE_TIMEOUTS, waitUntil } from '../../support/wait-until.js';

export interface QueuedJob {
  id: string;
  key: string | null;
  payload: Record<string, unknown>;
  attempts: number;
  max_attempts: number;
  locked_by: string | null;
  is_available: boolean;
  is_due: boolean;
  priority: number;
  last_error: string | null;
}

export interface LogLine {
  readonly level: string;
  readonly message: string;
  readonly fields: Record<string, unknown>;
}

export type Handler = (job: Job<'ProcessDocument'>) => Promise<void>;

/** A separate job queue, with workers whose jobs run the handlers of a test. */
export class JobsFixture {
  readonly log: LogLine[] = [];
  private readonly runners: JobRunner[] = [];

  private constructor(
    private readonly database: TestDatabase,
    readonly dataSource: DataSource,
    readonly owner: pg.Pool,
    private readonly uow: UnitOfWork,
    readonly tenantId: string,
  ) {}

  static async start(): Promise<JobsFixture> {
    const database = await createTestDatabase();
    const configuration = loadConfiguration({
      OIDC_ISSUER: 'http://127.0.0.1',
      ...database.environment,
      ...LONG_DATABASE_TIMEOUTS,
    });
    await setRoleSettings(database, configuration.databaseStatementTimeout);
    const dataSource = await openDatabase(configuration, database.pooledUrl);
    const owner = new pg.Pool({ connectionString: database.ownerUrl, max: 2 });
    owner.on('error', () => undefined);
    const tenantId = newId();
    await owner.query(`INSERT INTO tenants (id, name) VALUES ($1, 'One')`, [tenantId]);
    return new JobsFixture(
      database,
      dataSource,
      owner,
      await UnitOfWork.open(dataSource, new Recording()),
      tenantId,
    );
  }

  async stop(): Promise<void> {
    await this.dataSource.destroy();
    await this.owner.end();
    await this.database.drop();
  }

  /** Call it after each test. */
  async clear(): Promise<void> {
    await Promise.all(this.runners.splice(0).map((runner) => runner.stop()));
    // A stopped runner may still be closing its connections.
    await waitUntil(async () => {
      const { rowCount } = await this.owner.query(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = ANY ($1)`,
        [['filing-service queue', 'filing-service worker']],
      );
      return rowCount === 0;
    }, 'Connections of the workers are closed');
    await this.owner.query('DELETE FROM graphile_worker._private_jobs');
    this.log.length = 0;
  }

  async tenant(): Promise<string> {
    const id = newId();
    await this.owner.query(`INSERT INTO tenants (id, name) VALUES ($1, 'Another')`, [id]);
    return id;
  }

  transaction<T>(work: (tx: WriteTransaction) => Promise<T>, tenantId = this.tenantId): Promise<T> {
    return this.uow.write(serviceContext(tenantId), work);
  }

  /** Queues `count` jobs in one transaction. Returns their document ids. */
  async enqueue(count = 1, tenantId = this.tenantId): Promise<string[]> {
    const ids = Array.from({ length: count }, () => newId());
    await this.transaction(async (tx) => {
      for (const documentId of ids) tx.enqueue('ProcessDocument', { documentId, version: 1 });
      return Promise.resolve();
    }, tenantId);
    return ids;
  }

  runner(
    handler: Handler,
    {
      workerConcurrency = 1,
      shutdownTimeout = 30_000,
      delays,
    }: { workerConcurrency?: number; shutdownTimeout?: number; delays?: Partial<typeof DELAYS> } = {},
  ): JobRunner {
    const metrics = new JobMetrics(this.dataSource);
    const all = { ...DELAYS, restart: 50, grace: 500, storeOutcomes: 500, ...delays };
    const settings = { workerConcurrency, shutdownTimeout };
    const runner = new JobRunner(this.dataSource, metrics, this.logger(), settings, undefined, all);
    runner.handle('ProcessDocument', handler);
    runner.onApplicationBootstrap();
    this.runners.push(runner);
    return runner;
  }

  /** Makes idle workers look for due jobs now instead of at their next poll. */
  async wake(): Promise<void> {
    await this.owner.query(`SELECT pg_notify('jobs:insert', '{"count":1}')`);
  }

  deadWorkers(): DeadWorkers {
    const tasks = new ScheduledTasks(this.dataSource, this.logger());
    return new DeadWorkers(this.dataSource, tasks, this.logger());
  }

  async jobs(): Promise<QueuedJob[]> {
    const { rows } = await this.owner.query<QueuedJob>(
      `SELECT id, key, payload, attempts, max_attempts, locked_by, is_available, run_at <= now() AS is_due, priority, last_error
         FROM graphile_worker._private_jobs ORDER BY id`,
    );
    return rows;
  }

  /** Terminates the connections with this name, as a restart of the database does. */
  async terminateConnections(applicationName: string): Promise<number> {
    const { rowCount } = await this.owner.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = $1`,
      [applicationName],
    );
    return rowCount ?? 0;
  }

  async lockWaiters(): Promise<number> {
    const { rowCount } = await this.owner.query(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    return rowCount ?? 0;
  }

  private logger() {
    const at = (level: string) => (fields: object, message: string) =>
      void this.log.push({ level, message, fields: fields as Record<string, unknown> });
    return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
  }
}
