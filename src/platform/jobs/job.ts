import { type JobPayloads, type JobTask } from '../../common/vocabulary/jobs.js';

/** One attempt to run a job. */
export interface Job<T extends JobTask = JobTask> {
  readonly tenantId: string;
  readonly payload: JobPayloads[T];
  /** Number of the attempt, from 1. */
  readonly attempt: number;
  /** If true, a failed attempt is not retried. */
  readonly isLastAttempt: boolean;
  /** Id of the worker that runs the job, as in its lease. */
  readonly workerId: string;
  /**
   * Aborted when the job must end: the service stops, or the job is postponed. The job then returns to the queue; its
   * error is ignored.
   */
  readonly signal: AbortSignal;
}

/**
 * The attempts within about 80 s. After a failure between the nodes, Citus commits within a minute
 * (citus.recover_2pc_interval).
 */
const ATTEMPTS_UNTIL_COMMITTED = 4;

/**
 * Whether the rows that a job needs may be missing because they are not committed yet: in a distributed database, the
 * job is on another node than the rows of its transaction. The attempt must then fail.
 */
export function mayPrecedeCommit(
  { isDistributed }: { readonly isDistributed: boolean },
  { attempt }: Pick<Job, 'attempt'>,
): boolean {
  return isDistributed && attempt <= ATTEMPTS_UNTIL_COMMITTED;
}

/**
 * Runs a job. It may be called more than once for the same job, even at the same time: a worker that loses its
 * connection looks dead to the others. It must therefore make all changes in one transaction, which first checks
 * whether the work still has to be done. If it throws, the job is retried later.
 */
export type JobHandler<T extends JobTask> = (job: Job<T>) => Promise<void>;
