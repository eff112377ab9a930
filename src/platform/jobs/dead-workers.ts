import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { ADVISORY_LOCKS } from '../database/advisory-locks.js';
import { ScheduledTasks } from '../database/scheduled-tasks.js';
import { QUEUE_SCHEMA } from '../database/schema/queue-schema.js';
import { Log, type LogWriter } from '../logging/log.js';
import { WORKERS_WITHOUT_LEASE } from './worker-lease.js';

const EVERY_MS = 10_000;

const WORKERS = `SELECT DISTINCT locked_by AS id FROM ${QUEUE_SCHEMA}._private_jobs WHERE locked_by IS NOT NULL`;
const UNLOCK = `WITH dead AS MATERIALIZED (${WORKERS_WITHOUT_LEASE})
  SELECT d.id, ${QUEUE_SCHEMA}.force_unlock_workers(ARRAY[d.id]) FROM dead d`;

/**
 * Returns the jobs of dead workers to the queue; graphile-worker itself waits four hours. A worker without a lease is
 * dead, or has lost its connection to the database and cannot finish its jobs.
 */
@Injectable()
export class DeadWorkers implements OnModuleInit {
  constructor(
    private readonly dataSource: DataSource,
    private readonly tasks: ScheduledTasks,
    @Inject(Log) private readonly log: Pick<LogWriter, 'warn'>,
  ) {}

  onModuleInit(): void {
    this.tasks.add({
      name: 'return jobs of dead workers',
      lock: ADVISORY_LOCKS.deadWorkers,
      everyMs: EVERY_MS,
      run: async () => {
        await this.releaseJobs();
      },
    });
  }

  /** Returns the ids of the dead workers. */
  async releaseJobs(): Promise<string[]> {
    const workers = await this.dataSource.query<{ id: string }[]>(WORKERS);
    if (workers.length === 0) return [];
    const rows = await this.dataSource.query<{ id: string }[]>(UNLOCK, [workers.map(({ id }) => id)]);
    const dead = rows.map(({ id }) => id);
    if (dead.length > 0) this.log.warn({ workers: dead }, 'jobs of dead workers returned to the queue');
    return dead;
  }

  async findDead(ids: readonly string[]): Promise<string[]> {
    const rows = await this.dataSource.query<{ id: string }[]>(WORKERS_WITHOUT_LEASE, [ids]);
    return rows.map(({ id }) => id);
  }
}
