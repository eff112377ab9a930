import { type JobHelpers } from 'graphile-worker';
import { QUEUE_SCHEMA } from '../database/schema/queue-schema.js';
import { LONG_JOB } from './fair-share.js';
import { isLong, replaceJob } from './job-queue.js';

/** Flag of a job that waits for the end of its tenant's suspension. */
const FLAG = 'suspended';

const IS_SUSPENDED = `SELECT suspended_at IS NOT NULL AS "isSuspended" FROM tenants WHERE id = $1`;

/** A paused job becomes due by itself, because the suspension may have ended before it was paused. */
const PAUSE = '1 hour';

/** Makes the paused jobs of the tenant `$1` due. */
export const RESUME_JOBS = `WITH due AS (
    UPDATE ${QUEUE_SCHEMA}._private_jobs SET run_at = now(), flags = flags - '${FLAG}'
     WHERE payload ->> 'tenantId' = $1 AND flags ? '${FLAG}' RETURNING id
  )
  SELECT pg_notify('jobs:insert', json_build_object('count', count(*))::text) FROM due`;

/** Removes the jobs of the tenant `$1` that are not running. Returns the number of these, and of the running ones. */
export const REMOVE_JOBS = `WITH removed AS (
    DELETE FROM ${QUEUE_SCHEMA}._private_jobs WHERE payload ->> 'tenantId' = $1 AND locked_at IS NULL RETURNING id
  )
  SELECT count(*) FILTER (WHERE locked_at IS NOT NULL)::int AS running,
         (SELECT count(*) FROM removed)::int AS removed
    FROM ${QUEUE_SCHEMA}._private_jobs WHERE payload ->> 'tenantId' = $1`;

/** Returns true if the job now waits for the end of its tenant's suspension. The attempt is not counted. */
export async function pauseIfSuspended(
  tenantId: string,
  helpers: Pick<JobHelpers, 'job' | 'query'>,
): Promise<boolean> {
  const { rows } = await helpers.query<{ isSuspended: boolean }>(IS_SUSPENDED, [tenantId]);
  if (!rows[0]?.isSuspended) return false;
  await replaceJob(helpers, PAUSE, isLong(helpers.job) ? [FLAG, LONG_JOB.flag] : [FLAG]);
  return true;
}
