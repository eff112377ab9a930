import { type BenchRun } from '../bench-run.js';
import { MANY_TENANTS_PROBE } from './many-tenants.js';

/** A server of the database whose CPU time is measured. */
export interface DatabaseNode {
  readonly name: string;
  /** Process id of the first process; its descendants belong to it. */
  readonly pid: number;
}

/** A running service and the servers that it uses. */
export interface ScaleTarget {
  readonly origin: string;
  readonly pid: number;
  readonly nodes: readonly DatabaseNode[];
}

export interface ScaleVariant {
  readonly name: string;
  /** The services of all variants run at the same time; only one at a time is under load. */
  start(run: BenchRun): Promise<ScaleTarget>;
}

/** Not pinned: several processes on one core would only share it. */
export function startVariant(run: BenchRun, environment: Readonly<Record<string, string>>) {
  return run.startService({ unpinned: true, environment, probePath: MANY_TENANTS_PROBE });
}
