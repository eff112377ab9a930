import { QUEUE_SCHEMA } from '../database/queue-schema.js';
import { type Statement } from '../database/tenant-batch.js';
import { type JobRecord } from '../database/tenant-transaction.js';
import { JOBS } from '../vocabulary/jobs.js';

/** Adds jobs of a tenant to the queue; one whose key waits there already begins anew instead. */
export function enqueueStatement(tenantId: string, jobs: readonly JobRecord[]): Statement {
  return {
    text: `SELECT FROM ${QUEUE_SCHEMA}.add_jobs(ARRAY(
             SELECT (j.task, j.payload::json, NULL, NULL, j.attempts, j.key, NULL, NULL)::${QUEUE_SCHEMA}.job_spec
               FROM unnest($1::text[], $2::text[], $3::int[], $4::text[]) AS j (task, payload, attempts, key)))`,
    values: [
      jobs.map(({ task }) => task),
      jobs.map(({ payload }) => JSON.stringify({ ...payload, tenantId })),
      jobs.map(({ task }) => JOBS[task].attempts),
      jobs.map(({ key }) => key),
    ],
  };
}
