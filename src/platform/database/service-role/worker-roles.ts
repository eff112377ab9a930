import pg from 'pg';
import { DatabaseSetupError } from './service-role.js';

interface WorkerResult {
  readonly node: string;
  readonly success: boolean;
  readonly result: string;
}

/**
 * Creates a role of the coordinator of a Citus cluster on the workers that lack it. Citus itself passes a role on only when
 * it is created, in a database with the extension. The role may be older, or that of another database of the server.
 *
 * @param options of CREATE ROLE
 */
export async function ensureRoleOnWorkers(client: pg.Client, role: string, options: string): Promise<void> {
  const cluster = await client.query(
    `SELECT FROM pg_proc WHERE proname = 'run_command_on_workers' AND pronamespace = 'pg_catalog'::regnamespace`,
  );
  if (!cluster.rowCount) return;
  const create = `CREATE ROLE ${pg.escapeIdentifier(role)} ${options}`;
  // The worker would pass the statement on to the nodes that have the role.
  const block = `BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = ${pg.escapeLiteral(role)}) THEN
      PERFORM set_config('citus.enable_ddl_propagation', 'off', true);
      ${create};
    END IF;
  EXCEPTION WHEN duplicate_object OR unique_violation THEN
    NULL; -- Another start has just created it.
  END`;
  const { rows } = await client.query<WorkerResult>(
    `SELECT nodename || ':' || nodeport AS node, success, result FROM run_command_on_workers($1)`,
    [`DO ${pg.escapeLiteral(block)}`],
  );
  const failed = rows.find(({ success }) => !success);
  if (failed)
    throw new DatabaseSetupError(
      `The role ${role} cannot be created on the worker ${failed.node} (${failed.result}). Give the owner role CREATEROLE ` +
        `there, or run there as a superuser: SET citus.enable_ddl_propagation TO off; CREATE ROLE ${withoutPassword(options, role)};`,
    );
}

/** Nodes do not need the password of a role that no client logs in with. */
function withoutPassword(options: string, role: string): string {
  return `${pg.escapeIdentifier(role)} ${options.replace(/PASSWORD '[^']*' ?/, '')}`.trim();
}
