import pg from 'pg';
import { runOnWorkers, unreachableWorkers } from '../distribution/cluster-workers.js';
import { queryOf } from '../distribution/distributed-schema.js';
import { DatabaseSetupError } from './service-role.js';

/** Begins the result of a worker where the owner role lacks the privilege: Citus passes on the text of an error only. */
const NO_PRIVILEGE = 'insufficient_privilege';

/**
 * Creates a role of the coordinator of a Citus cluster on the workers that lack it. Citus itself passes a role on only when
 * it is created, in a database with the extension. The role may be older, or that of another database of the server.
 * Omits workers that do not answer: one that has been used has the role, and a new one gets it at the next start.
 *
 * @param options of CREATE ROLE
 */
export async function ensureRoleOnWorkers(client: pg.Client, role: string, options: string): Promise<void> {
  const create = `CREATE ROLE ${pg.escapeIdentifier(role)} ${options}`;
  // The worker would pass the statement on to the nodes that have the role.
  const block = `BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = ${pg.escapeLiteral(role)}) THEN
      PERFORM set_config('citus.enable_ddl_propagation', 'off', true);
      ${create};
    END IF;
  EXCEPTION
    WHEN duplicate_object OR unique_violation THEN
      NULL; -- Another start has just created it.
    WHEN insufficient_privilege THEN
      RAISE EXCEPTION '${NO_PRIVILEGE}: %', SQLERRM;
  END`;
  const query = queryOf(client);
  const results = await runOnWorkers(query, `DO ${pg.escapeLiteral(block)}`);
  const failures = results.filter(({ success }) => !success);
  if (failures.length === 0) return;
  const unreachable = await unreachableWorkers(query);
  const failed = failures.find(({ node }) => !unreachable.has(node));
  if (!failed) return;
  // Nodes do not need the password of a role that no client logs in with.
  const statement = create.replace(/PASSWORD '[^']*' ?/, '').trim();
  const advice = failed.result.includes(NO_PRIVILEGE)
    ? ` Give the owner role CREATEROLE there, or run there as a superuser: SET citus.enable_ddl_propagation TO off; ${statement};`
    : '';
  throw new DatabaseSetupError(
    `The role ${role} cannot be created on the worker ${failed.node} (${failed.result}).${advice}`,
  );
}
