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
