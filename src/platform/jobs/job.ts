import { type JobPayloads, type JobTask } from '../../common/vocabulary/jobs.js';

/** One attempt at a job. */
export interface Job<T extends JobTask = JobTask> {
  readonly tenantId: string;
  readonly payload: JobPayloads[T];
  /** From 1. */
  readonly attempt: number;
  /** What fails now is not tried again. */
  readonly isLastAttempt: boolean;
  /** Whoever is at the job, as its lease names it. */
  readonly workerId: string;
  /** Aborted when the service stops and cannot wait any longer: the job is handed back, whatever it throws then. */
  readonly signal: AbortSignal;
}

/**
 * Does what a job asks for. It may be called more than once for the same job, also at the same time (a worker that
 * loses its connection looks dead to the others): what it changes, it changes in one transaction that looks first
 * whether there is still something to do. What it throws makes it be called again later.
 */
export type JobHandler<T extends JobTask> = (job: Job<T>) => Promise<void>;
