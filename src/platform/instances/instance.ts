import { type ProcessChannel } from './process-channel.js';

/** A process of a service with several processes (INSTANCES). */
export interface Instance {
  /** From 1 to INSTANCES. A process that replaces another one has the same number. */
  readonly number: number;
  /** Calls to the primary process, which holds what the processes share. */
  readonly primary: ProcessChannel;
}

/** Injection token; null when the service is one process. */
export const INSTANCE = Symbol('INSTANCE');

/** Whether the process runs jobs and scheduled tasks. One process does, so that their limits stay those of the service. */
export function runsBackgroundWork(instance: Instance | null): boolean {
  return instance === null || instance.number === 1;
}
