import { distributeDatabase } from '../../src/platform/database/distribution/distribute.js';
import { inDatabase, joinNodes, runAsAdmin } from '../support/database-nodes.js';
import { CitusCluster } from '../support/servers/citus-cluster.js';
import { type PostgresProcess } from '../support/servers/postgres-process.js';
import { waitFor } from '../support/wait-until.js';

/** A cluster whose nodes a spec may kill, with a distributed database. */
export interface OwnCluster {
  readonly cluster: CitusCluster;
  readonly ownerUrl: string;
  /** URL of the database with the superuser, who reads the rows of all tenants. */
  readonly superuserUrl: string;
}

export async function startOwnCluster(): Promise<OwnCluster> {
  // A killed server must still have the transactions that it has committed.
  const cluster = await CitusCluster.start({ settings: ['synchronous_commit=on'] });
  const nodes = [cluster.coordinator, ...cluster.workers].map(({ superuserUrl: node }) => node);
  const [coordinator = ''] = nodes;
  // As in production, the owner has CREATEROLE and no other attribute. Citus creates the role on the workers, too.
  await runAsAdmin(coordinator, `CREATE ROLE filing LOGIN CREATEROLE PASSWORD 'of-the-owner'`);
  // As on a server that had a database of the service before it had workers.
  await runAsAdmin(
    coordinator,
    'SET citus.enable_ddl_propagation TO off',
    'CREATE ROLE filing_service_role',
    'GRANT filing_service_role TO filing WITH ADMIN OPTION',
  );
  await Promise.all(nodes.map((node) => runAsAdmin(node, 'CREATE DATABASE filing OWNER filing')));
  await joinNodes(nodes, 'filing');
  const ownerUrl = `postgres://filing:of-the-owner@127.0.0.1:${cluster.coordinator.port}/filing`;
  await distributeDatabase(ownerUrl, 4, () => undefined);
  return { cluster, ownerUrl, superuserUrl: inDatabase(coordinator, 'filing') };
}

/** The processes of a killed server end on their own; until then, a new one cannot start. */
export function restart(worker: PostgresProcess): Promise<boolean> {
  const hasStarted = () =>
    worker.resume().then(
      () => true,
      () => false,
    );
  return waitFor(hasStarted, 'the restarted worker');
}

/** The worker (port) and the shard of the tenant's rows. */
export interface Placement {
  readonly shard: string;
  readonly port: number;
}

export async function placementOf(superuserUrl: string, slug: string): Promise<Placement> {
  const [placement] = await runAsAdmin<Placement>(
    superuserUrl,
    `SELECT s.shardid::text AS shard, s.nodeport AS port
       FROM tenant_slugs t
       JOIN citus_shards s ON s.shardid = get_shard_id_for_distribution_column('roles', t.tenant_id)
      WHERE t.slug = '${slug}'`,
  );
  if (!placement) throw new Error(`${slug} has no shard.`);
  return placement;
}
