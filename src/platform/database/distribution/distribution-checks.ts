import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseSetupError } from '../service-role/service-role.js';
import { type Query } from './distributed-schema.js';

/** Connections of a stopped service may need a moment to close. */
const UNUSED_ATTEMPTS = 20;
const UNUSED_INTERVAL_MS = 250;

/** Refuses a database that is not on the coordinator of a Citus cluster. Returns the number of nodes for data. */
export async function checkCluster(query: Query): Promise<number> {
  const [extension] = await query('SELECT FROM pg_extension WHERE extname = $1', ['citus']);
  if (!extension)
    throw new DatabaseSetupError(
      'The database of DATABASE_URL has no Citus extension. Use the URL of the coordinator of a Citus cluster.',
    );
  const [cluster] = await query<{ isCoordinator: boolean; nodes: number }>(
    `SELECT citus_is_coordinator() AS "isCoordinator",
            (SELECT count(*)::int FROM pg_dist_node WHERE isactive AND shouldhaveshards AND noderole = 'primary') AS nodes`,
  );
  // Citus itself would add the coordinator as `localhost`, to which other nodes cannot connect.
  if (!cluster?.nodes)
    throw new DatabaseSetupError(
      'The Citus cluster has no node for data. Add workers with citus_add_node(), or let the coordinator have data ' +
        "with citus_set_node_property(…, 'shouldhaveshards', true).",
    );
  if (!cluster.isCoordinator)
    throw new DatabaseSetupError(
      'DATABASE_URL is a worker of the Citus cluster. Use the URL of the coordinator.',
    );
  return cluster.nodes;
}

/**
 * Refuses while the service uses the database: it could violate the foreign keys while they are dropped, and would not
 * find the tenants' data afterwards. Sessions that wait for the setup lock are no problem.
 */
export async function checkUnused(query: Query): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const { length: connections } = await query(
      `SELECT FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid()
          AND application_name LIKE 'filing-service%' AND application_name <> 'filing-service setup'`,
    );
    if (connections === 0) return;
    if (attempt === UNUSED_ATTEMPTS)
      throw new DatabaseSetupError(
        `The service uses the database (connections: ${connections}). Stop all instances, workers and commands first.`,
      );
    await sleep(UNUSED_INTERVAL_MS);
  }
}
