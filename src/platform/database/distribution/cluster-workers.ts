import { type Query } from './distributed-schema.js';

interface WorkerResult {
  /** `host:port` */
  readonly node: string;
  readonly success: boolean;
  /** The text of the error, or the first value. */
  readonly result: string;
}

/** Runs a command on every worker of a Citus cluster. Returns no results without Citus. */
export async function runOnWorkers(query: Query, command: string): Promise<WorkerResult[]> {
  const cluster = await query(
    `SELECT FROM pg_proc WHERE proname = 'run_command_on_workers' AND pronamespace = 'pg_catalog'::regnamespace`,
  );
  if (cluster.length === 0) return [];
  return query<WorkerResult>(
    `SELECT nodename || ':' || nodeport AS node, success, result FROM run_command_on_workers($1)`,
    [command],
  );
}

/** The workers (`host:port`) that the coordinator cannot connect to, with the reasons. */
export async function unreachableWorkers(query: Query): Promise<Map<string, string>> {
  const results = await runOnWorkers(query, 'SELECT 1');
  return new Map(results.flatMap(({ node, success, result }) => (success ? [] : [[node, result]])));
}
