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
import { type JobTask } from '../../common/vocabulary/jobs.js';
import { QUEUE_SCHEMA } from '../database/schema/queue-schema.js';
import { type LogWriter } from '../logging/log.js';
import { type Tracer, runSpan } from '../telemetry/span.js';
import { FairShare, LONG_JOB, SHARE_DELAYS, RESET_PRIORITY } from './fair-share.js';
import { type JobMetrics, type JobOutcome } from './job-metrics.js';
import { type QueuedPayload } from './job-queue.js';
import { type Job, type JobHandler } from './job.js';
import { graphileOptions, openQueuePool } from './queue-connection.js';
import { WorkerLease } from './worker-lease.js';

/** In milliseconds. */
const DELAYS = {
  /** Before a failed worker is replaced. */
  restart: 1000,
  /** For jobs and connections to end after they were stopped. */
  grace: 2000,
  /** For a stopping worker to store the outcome of its last jobs. Longer than the lock timeout of a statement. */
  jobUpdates: 15_000,
  ...SHARE_DELAYS,
};

const RETURN_JOB = `WITH job AS (
    UPDATE ${QUEUE_SCHEMA}._private_jobs
       SET attempts = greatest(attempts - 1, 0), locked_at = NULL, locked_by = NULL, ${RESET_PRIORITY}
     WHERE id = $1 AND locked_by = $2 RETURNING id
  )
  SELECT pg_notify('jobs:insert', '{"count":1}') FROM job`;

const RESET_JOB_PRIORITY = `UPDATE ${QUEUE_SCHEMA}._private_jobs SET ${RESET_PRIORITY} WHERE id = $1`;

/** Adds the job again as a new one with the same key. The old one counts as done. */
const POSTPONE = `SELECT FROM ${QUEUE_SCHEMA}.add_jobs(ARRAY[
  ($1, $2::json, NULL, NULL, $3, $4, ${LONG_JOB.priority}, ARRAY['${LONG_JOB.flag}'])::${QUEUE_SCHEMA}.job_spec])`;

export interface JobRunnerOptions {
  /** Maximum number of concurrent jobs on this instance; 0 to run none. */
  readonly concurrency: number;
  /** How long jobs may continue after the service starts to stop. */
  readonly shutdownTimeoutMs: number;
  /** Undefined when no traces are sent. */
  readonly tracer?: Tracer | undefined;
  /** Shorter delays, for tests. */
  readonly delays?: Partial<typeof DELAYS>;
}

/**
 * Runs the jobs of the queue (docs/adr/0019), several at a time, together with any number of other instances. A
 * failed job is retried later. When the service stops, running jobs finish, or return to the queue after a timeout.
 * When the process dies, other instances detect that by its lease (see DeadWorkers).
 */
export class JobRunner implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly tasks: TaskList = {};
  private readonly stopping = new AbortController();
  private readonly interrupted = new AbortController();
  private worker?: WorkerPool;
  private running: Promise<void> = Promise.resolve();
  private stopped?: Promise<void>;
  private readonly delays: typeof DELAYS;
  private readonly share: FairShare;

  constructor(
    private readonly dataSource: DataSource,
    private readonly metrics: JobMetrics,
    private readonly log: LogWriter,
    private readonly options: JobRunnerOptions,
  ) {
    this.delays = { ...DELAYS, ...options.delays };
    this.share = new FairShare(options.concurrency, this.delays);
  }

  /** Must be called before the application starts. */
  handle<T extends JobTask>(task: T, handler: JobHandler<T>): void {
    this.tasks[task] = ((payload: QueuedPayload<T>, helpers: JobHelpers) =>
      this.traced(task, payload, helpers, () => this.attempt(task, handler, payload, helpers))) as Task;
  }

  onApplicationBootstrap(): void {
    if (this.options.concurrency > 0) this.running = this.keepWorkerRunning();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.stop();
  }

  /** Takes no new jobs. Resolves when all running jobs have finished or returned to the queue. */
  stop(): Promise<void> {
    this.stopped ??= this.end();
    return this.stopped;
  }

  private async end(): Promise<void> {
    this.stopping.abort();
    const timer = setTimeout(() => this.interrupted.abort(), this.options.shutdownTimeoutMs);
    const timeout = new AbortController();
    void Promise.resolve(this.worker?.gracefulShutdown()).catch(() => undefined);
    await Promise.race([
      this.running,
      sleep(this.options.shutdownTimeoutMs + this.delays.grace, undefined, { signal: timeout.signal }),
    ]);
    timeout.abort();
    clearTimeout(timer);
  }

  /**
   * Replaces a worker that has ended. A worker ends when it cannot store the outcome of a job, because the database is
   * unavailable. The job still belongs to that worker, whose lease ends, so the job runs again (see DeadWorkers).
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
    const { concurrency } = this.options;
    return this.withLeasedPool(concurrency, async (options, pool) => {
      try {
        this.worker = runTaskList({ ...options, concurrency }, this.tasks, pool);
        await Promise.race([this.worker.promise, failWhenOverdue(options.events, this.delays.jobUpdates)]);
      } finally {
        this.worker = undefined;
      }
    });
  }

  /** Runs the jobs that are due now, one after another, even with a concurrency of 0. */
  runDue(): Promise<void> {
    return this.withLeasedPool(1, async (options, pool) => {
      const client = await pool.connect();
      try {
        await runTaskListOnce(options, this.tasks, client).promise;
      } finally {
        client.release();
      }
    });
  }

  private async withLeasedPool(
    concurrency: number,
    work: (options: ReturnType<typeof graphileOptions>, pool: pg.Pool) => Promise<void>,
  ): Promise<void> {
    const pool = openQueuePool(this.dataSource, concurrency);
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
      const forbiddenFlags = () => this.share.chooseNext((text, values) => pool.query(text, values));
      await work({ ...graphileOptions(beforeFirstJob, this.log), forbiddenFlags }, pool);
    } finally {
      // Closing a connection to an unreachable server would take 15 minutes.
      const close = async () => {
        await lease?.release();
        await pool.end();
      };
      await Promise.race([close(), sleep(this.delays.grace, undefined, { ref: false })]);
    }
  }

  /** Runs each attempt in a span, in the trace of the request that queued the job. */
  private traced<T extends JobTask>(
    task: T,
    { tenantId, traceparent }: QueuedPayload<T>,
    { job }: Pick<JobHelpers, 'job'>,
    attempt: () => Promise<void>,
  ): Promise<void> {
    const { tracer } = this.options;
    if (!tracer) return attempt();
    const attributes = {
      'messaging.system': 'graphile_worker',
      'messaging.operation.name': 'process',
      'messaging.operation.type': 'process',
      'messaging.destination.name': task,
      'messaging.message.id': job.id,
      'filing.tenant.id': tenantId,
      'filing.job.attempt': job.attempts,
    };
    return runSpan(tracer.start(`process ${task}`, 'CONSUMER', attributes, { traceparent }), attempt);
  }

  private async attempt<T extends JobTask>(
    task: T,
    handler: JobHandler<T>,
    { tenantId, traceparent: _traceparent, ...payload }: QueuedPayload<T>,
    { job, query }: Pick<JobHelpers, 'job' | 'query'>,
  ): Promise<void> {
    const end = this.metrics.begin(task);
    const logged = (outcome: JobOutcome) => ({
      task,
      tenantId,
      ...payload,
      attempt: job.attempts,
      ms: Math.round(end(outcome) * 1000),
    });
    const running = this.share.begin(tenantId, LONG_JOB.flag in (job.flags ?? {}), query);
    const attempt: Job<T> = {
      tenantId,
      payload: payload,
      attempt: job.attempts,
      isLastAttempt: job.attempts >= job.max_attempts,
      workerId: job.locked_by ?? '',
      signal: AbortSignal.any([this.interrupted.signal, running.signal]),
    };
    try {
      await handler(attempt);
      this.log.info(logged('done'), 'job done');
    } catch (err) {
      if (this.interrupted.signal.aborted) {
        await this.returnJob(job.id, attempt.workerId);
        this.log.info(logged('returned'), 'job returned to the queue');
      } else if (running.signal.aborted) {
        const attemptsLeft = job.max_attempts - job.attempts + 1;
        await query(POSTPONE, [task, JSON.stringify(job.payload), attemptsLeft, job.key]);
        return this.log.info(logged('postponed'), 'job postponed');
      } else {
        await query(RESET_JOB_PRIORITY, [job.id]).catch(() => undefined);
        this.log[attempt.isLastAttempt ? 'error' : 'warn']({ ...logged('failed'), err }, 'job failed');
      }
      throw err;
    } finally {
      running.end();
    }
  }

  /** Returns the job to the queue for another worker. The attempt is not counted. */
  private async returnJob(id: string, workerId: string): Promise<void> {
    const { master } = this.dataSource.driver as unknown as { master: pg.Pool };
    await master.query(RETURN_JOB, [id, workerId]);
  }
}

/**
 * Fails when a stopping worker does not end although its jobs have ended. graphile-worker (0.17.3) counts the
 * outcomes that it still has to store. After a failure it subtracts two instead of one, so the counter skips zero and
 * the worker waits forever.
 */
async function failWhenOverdue(events: WorkerEvents, jobUpdatesMs: number): Promise<never> {
  await Promise.race([
    once(events, 'pool:gracefulShutdown:complete'),
    once(events, 'pool:gracefulShutdown:error'),
  ]);
  await sleep(jobUpdatesMs, undefined, { ref: false });
  throw new Error('The worker has not ended although its jobs have ended');
}
