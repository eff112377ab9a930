import { type JobHelpers } from 'graphile-worker';
import { JOBS, type JobPayloads, type JobTask } from '../../common/vocabulary/jobs.js';
import { QUEUE_SCHEMA } from '../database/schema/queue-schema.js';
import { type Statement } from '../database/transactions/tenant-batch.js';
import { type JobRecord } from '../database/transactions/tenant-transaction.js';
import { LONG_JOB } from './fair-share.js';
import { activeSpan } from '../telemetry/span.js';

export type QueuedPayload<T extends JobTask> = JobPayloads[T] & {
  readonly tenantId: string;
  readonly traceparent?: string;
};

const REPLACE = `SELECT FROM ${QUEUE_SCHEMA}.add_jobs(ARRAY[
  ($1, $2::json, NULL, now() + $3::interval, $4, $5, $6, $7)::${QUEUE_SCHEMA}.job_spec])`;

export function isLong({ flags }: JobHelpers['job']): boolean {
  return LONG_JOB.flag in (flags ?? {});
}

/**
 * Adds a new job with the same key, which replaces the running one. The running one then ends as done, and its attempt is
 * not counted.
 *
 * @param delay interval of PostgreSQL after which the job is due
 */
export async function replaceJob(
  { job, query }: Pick<JobHelpers, 'job' | 'query'>,
  delay: string,
  flags: readonly string[],
): Promise<void> {
  const attemptsLeft = job.max_attempts - job.attempts + 1;
  const priority = flags.includes(LONG_JOB.flag) ? LONG_JOB.priority : null;
  const payload = JSON.stringify(job.payload);
  await query(REPLACE, [job.task_identifier, payload, delay, attemptsLeft, job.key, priority, flags]);
}

/** Adds jobs of a tenant to the queue. A waiting job with the same key is replaced. */
export function enqueueStatement(tenantId: string, jobs: readonly JobRecord[]): Statement {
  const traceparent = activeSpan()?.traceparent;
  return {
    text: `SELECT FROM ${QUEUE_SCHEMA}.add_jobs(ARRAY(
             SELECT (j.task, j.payload::json, NULL,
                     coalesce(j.run_at, now() + j.delay * interval '1 ms'), j.attempts, j.key,
                     CASE WHEN j.long THEN ${LONG_JOB.priority} END,
                     CASE WHEN j.long THEN ARRAY['${LONG_JOB.flag}'] END)::${QUEUE_SCHEMA}.job_spec
               FROM unnest($1::text[], $2::text[], $3::int[], $4::text[], $5::timestamptz[], $6::int[], $7::boolean[])
                      AS j (task, payload, attempts, key, run_at, delay, long)))`,
    values: [
      jobs.map(({ task }) => task),
      jobs.map(({ payload }) => JSON.stringify({ ...payload, tenantId, traceparent })),
      jobs.map(({ task }) => JOBS[task].attempts),
      jobs.map(({ key }) => key),
      jobs.map(({ runAt }) => runAt),
      jobs.map(({ delayMs }) => delayMs),
      jobs.map(({ isLong }) => isLong),
    ],
  };
}
