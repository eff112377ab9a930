import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import {
  type JobHelpers,
  type Task,
  type TaskList,
  type WorkerEvents,
  type WorkerPool,
  runTaskList,
  runTaskListOnce,
} from 'graphile-worker';
import type pg from 'pg';
import { type DataSource } from 'typeorm';
import { type JobPayloads, type JobTask } from '../../common/vocabulary/jobs.js';
import { type Configuration } from '../config/configuration.js';
import { poolOf } from '../database/connections/pool-of.js';
import { isServerAway } from '../database/database-problems.js';
import { QUEUE_SCHEMA } from '../database/schema/queue-schema.js';
import { type LogWriter } from '../logging/log.js';
import { type Tracer, runSpan } from '../telemetry/span.js';
import { FairShare, LONG_JOB, SHARE_DELAYS, RESET_PRIORITY } from './fair-share.js';
import { type JobMetrics, type JobOutcome } from './job-metrics.js';
import { type QueuedPayload, isLong, replaceJob } from './job-queue.js';
import { type Job, type JobHandler } from './job.js';
import { graphileOptions, openQueuePool } from './queue-connection.js';
import { pauseIfSuspended } from './suspended-jobs.js';
import { WorkerLease } from './worker-lease.js';

/** In milliseconds. */
export const DELAYS = {
  /** Pause before a failed worker is replaced. */
  restart: 1000,
  /** Time limit for jobs to end after their signal is aborted, and for connections to close. */
  grace: 2000,
  /** Time limit for a stopping worker to store its last outcomes. Longer than the lock timeout of a statement. */
  storeOutcomes: 15_000,
  ...SHARE_DELAYS,
};

/**
 * Assignments that return a job to the queue without counting the attempt. With a new id, because graphile-worker stores
 * the error of the attempt later, by the ids of job and worker: the same worker can have taken the job again by then.
 */
const RETURNED = `
  id = DEFAULT, attempts = greatest(attempts - 1, 0), locked_at = NULL, locked_by = NULL, ${RESET_PRIORITY}`;

const RETURN_JOB = `WITH job AS (
    UPDATE ${QUEUE_SCHEMA}._private_jobs SET ${RETURNED} WHERE id = $1 AND locked_by = $2 RETURNING id
  )
  SELECT pg_notify('jobs:insert', '{"count":1}') FROM job`;

/** Like RETURN_JOB, for a moment later. Returns no row for a job that is too old: such attempts are counted after a day. */
const RETURN_JOB_LATER = `
  UPDATE ${QUEUE_SCHEMA}._private_jobs SET run_at = now() + interval '3 s', ${RETURNED}
   WHERE id = $1 AND locked_by = $2 AND created_at > now() - interval '1 day' RETURNING id`;

const RESET_JOB_PRIORITY = `UPDATE ${QUEUE_SCHEMA}._private_jobs SET ${RESET_PRIORITY} WHERE id = $1`;

/**
 * Runs the jobs of the queue with graphile-worker (docs/adr/0019), several at a time. Any number of instances share the
 * queue.
 *
 * - A failed job is retried later; at once when a server that was away is back.
 * - A long job is postponed when jobs of other tenants are waiting (see FairShare).
 * - Jobs of a suspended tenant wait until it is resumed.
 * - When the service stops, running jobs finish, or return to the queue after a timeout.
 * - When the process ends unexpectedly, its lease ends, and its jobs return to the queue (see DeadWorkers).
 */
export class JobRunner implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly tasks: TaskList = {};
  private readonly stopping = new AbortController();
  /** Aborted when running jobs must return to the queue. */
  private readonly interrupted = new AbortController();
  private worker?: WorkerPool;
  /** Connections of {@link runDue}. */
  private duePool?: pg.Pool;
  private workerLoop: Promise<void> = Promise.resolve();
  private stopped?: Promise<void>;
  private readonly share: FairShare;

  /**
   * @param tracer undefined when no traces are sent
   * @param delays for tests
   */
  constructor(
    private readonly dataSource: DataSource,
    private readonly metrics: JobMetrics,
    private readonly log: LogWriter,
    private readonly configuration: Pick<Configuration, 'shutdownTimeout' | 'workerConcurrency'>,
    private readonly tracer?: Tracer,
    private readonly delays = DELAYS,
  ) {
    this.share = new FairShare(configuration.workerConcurrency, delays);
  }

  /** Must be called before the application starts. */
  handle<T extends JobTask>(task: T, handler: JobHandler<T>): void {
    this.tasks[task] = ((payload: QueuedPayload<T>, helpers: JobHelpers) =>
      this.runInSpan(task, payload, helpers, () => this.attempt(task, handler, payload, helpers))) as Task;
  }

  onApplicationBootstrap(): void {
    if (this.configuration.workerConcurrency > 0) this.workerLoop = this.keepWorkerRunning();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.stop();
  }

  /** Takes no new jobs. Resolves when all running jobs have finished or returned to the queue. */
  stop(): Promise<void> {
    return (this.stopped ??= this.shutDown());
  }

  private async shutDown(): Promise<void> {
    const { shutdownTimeout } = this.configuration;
    this.stopping.abort();
    const timer = setTimeout(() => this.interrupted.abort(), shutdownTimeout);
    const timeout = new AbortController();
    void Promise.resolve(this.worker?.gracefulShutdown()).catch(() => undefined);
    await Promise.race([
      this.workerLoop,
      sleep(shutdownTimeout + this.delays.grace, undefined, { signal: timeout.signal }),
    ]);
    timeout.abort();
    clearTimeout(timer);
    await this.duePool?.end();
  }

  /**
   * Replaces a worker that has ended. A worker ends when it cannot store the outcome of a job, because the database is
   * unavailable. The job stays locked by that worker. The worker's lease ends, so the job runs again (see DeadWorkers).
   */
  private async keepWorkerRunning(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      try {
        await this.runWorker();
      } catch (err) {
        this.log.error({ err }, 'worker ended; starting another one');
      }
      await sleep(this.delays.restart, undefined, { signal }).catch(() => undefined);
    }
  }

  private runWorker(): Promise<void> {
    const { workerConcurrency: concurrency } = this.configuration;
    const pool = openQueuePool(this.dataSource, concurrency);
    const close = () => pool.end();
    return this.withLease({ pool, close }, async (options) => {
      try {
        this.worker = runTaskList({ ...options, concurrency }, this.tasks, pool);
        await Promise.race([
          this.worker.promise,
          failIfWorkerHangs(options.events, this.delays.storeOutcomes),
        ]);
      } finally {
        this.worker = undefined;
      }
    });
  }

  /** Runs the jobs that are due now, one after another, even with a concurrency of 0. */
  runDue(): Promise<void> {
    const pool = (this.duePool ??= openQueuePool(this.dataSource, 1));
    return this.withLease({ pool }, async (options) => {
      const client = await pool.connect();
      try {
        await runTaskListOnce(options, this.tasks, client).promise;
      } finally {
        client.release();
      }
    });
  }

  private async withLease(
    { pool, close }: { pool: pg.Pool; close?: () => Promise<void> },
    work: (options: ReturnType<typeof graphileOptions>) => Promise<void>,
  ): Promise<void> {
    let lease: WorkerLease | undefined;
    let leased: Promise<void> | undefined;
    // The worker takes jobs only after it has its lease; otherwise other instances would consider it dead.
    const beforeFirstJob = (workerId: string) => {
      lease ??= new WorkerLease(this.dataSource, workerId, (err) =>
        this.log.warn({ err, workerId }, 'worker has no lease'),
      );
      leased ??= lease.hold(this.stopping.signal);
      return leased;
    };
    try {
      // graphile-worker calls this each time before it takes a job.
      const forbiddenFlags = () => this.share.chooseNext((text, values) => pool.query(text, values));
      await work({ ...graphileOptions(beforeFirstJob, this.log), forbiddenFlags });
    } finally {
      // With a time limit, because closing a connection to an unreachable server takes 15 minutes (TCP timeout).
      const end = async () => {
        await lease?.release();
        await close?.();
      };
      await Promise.race([end(), sleep(this.delays.grace, undefined, { ref: false })]);
    }
  }

  /** Runs each attempt in a span, in the trace of the request that queued the job. */
  private runInSpan<T extends JobTask>(
    task: T,
    { tenantId, traceparent }: QueuedPayload<T>,
    { job }: Pick<JobHelpers, 'job'>,
    attempt: () => Promise<void>,
  ): Promise<void> {
    if (!this.tracer) return attempt();
    const attributes = {
      'messaging.system': 'graphile_worker',
      'messaging.operation.name': 'process',
      'messaging.operation.type': 'process',
      'messaging.destination.name': task,
      'messaging.message.id': job.id,
      'filing.tenant.id': tenantId,
      'filing.job.attempt': job.attempts,
    };
    return runSpan(this.tracer.start(`process ${task}`, 'CONSUMER', attributes, { traceparent }), attempt);
  }

  private async attempt<T extends JobTask>(
    task: T,
    handler: JobHandler<T>,
    { tenantId, traceparent: _traceparent, ...payload }: QueuedPayload<T>,
    { job, query }: Pick<JobHelpers, 'job' | 'query'>,
  ): Promise<void> {
    const endMetrics = this.metrics.begin(task);
    /** Ends the metrics of the attempt. Returns the fields of its log message. */
    const finish = (outcome: JobOutcome) => ({
      task,
      tenantId,
      ...payload,
      attempt: job.attempts,
      ms: Math.round(endMetrics(outcome) * 1000),
    });
    const sharedJob = this.share.begin(tenantId, isLong(job), query);
    const current: Job<T> = {
      tenantId,
      payload: payload as unknown as JobPayloads[T],
      attempt: job.attempts,
      isLastAttempt: job.attempts >= job.max_attempts,
      workerId: job.locked_by ?? '',
      signal: AbortSignal.any([this.interrupted.signal, sharedJob.signal]),
    };
    try {
      if (await pauseIfSuspended(tenantId, { job, query }))
        return this.log.info(finish('paused'), 'job paused: the tenant is suspended');
      await handler(current);
      this.log.info(finish('done'), 'job done');
    } catch (err) {
      if (this.interrupted.signal.aborted) {
        await this.returnJob(job.id, current.workerId);
        this.log.info(finish('returned'), 'job returned to the queue');
      } else if (sharedJob.signal.aborted) {
        await replaceJob({ job, query }, '0', [LONG_JOB.flag]);
        return this.log.info(finish('postponed'), 'job postponed');
      } else if (isServerAway(err) && (await this.returnLater(job.id, current.workerId, query))) {
        this.log.warn(
          { ...finish('returned'), err },
          'job returned to the queue: the database is unavailable',
        );
      } else {
        await query(RESET_JOB_PRIORITY, [job.id]).catch(() => undefined);
        this.log[current.isLastAttempt ? 'error' : 'warn']({ ...finish('failed'), err }, 'job failed');
      }
      throw err;
    } finally {
      sharedJob.end();
    }
  }

  /** @returns false when the attempt is to be counted: the job is too old, or the queue unavailable, too */
  private async returnLater(id: string, workerId: string, query: JobHelpers['query']): Promise<boolean> {
    const { rowCount } = await query(RETURN_JOB_LATER, [id, workerId]).catch(() => ({ rowCount: 0 }));
    return rowCount === 1;
  }

  /** Returns the job to the queue for another worker. The attempt is not counted. */
  private async returnJob(id: string, workerId: string): Promise<void> {
    await poolOf(this.dataSource).query(RETURN_JOB, [id, workerId]);
  }
}

/**
 * Fails when a stopping worker does not end within `timeoutMs` after its jobs have ended. graphile-worker (0.17.3)
 * counts the outcomes that it still has to store. When storing fails, it subtracts two instead of one, so the counter
 * skips zero and the worker waits forever.
 */
async function failIfWorkerHangs(events: WorkerEvents, timeoutMs: number): Promise<never> {
  await Promise.race([
    once(events, 'pool:gracefulShutdown:complete'),
    once(events, 'pool:gracefulShutdown:error'),
  ]);
  await sleep(timeoutMs, undefined, { ref: false });
  throw new Error('The worker has not ended although its jobs have ended');
}
