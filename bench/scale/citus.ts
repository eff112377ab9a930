import { mkdtemp } from 'node:fs/promises';
import path from 'node:path';
import { distributeDatabase } from '../../src/platform/database/distribution/distribute.js';
import { migrateDatabase } from '../../src/platform/database/schema/migrate.js';
import { inDatabase, joinNodes, runAsAdmin } from '../../test/support/database-nodes.js';
import { CitusCluster } from '../../test/support/servers/citus-cluster.js';
import {
  PostgresProcess,
  installedVersions,
  programFolder,
} from '../../test/support/servers/postgres-process.js';
import { type BenchRun } from '../bench-run.js';
import { seedManyTenants } from './many-tenants.js';
import { type DatabaseNode, type ScaleTarget, type ScaleVariant, startVariant } from './scale-variant.js';

/** Durable, as in production; the settings of the tests come first. */
const SETTINGS = ['fsync=on', 'synchronous_commit=on', 'full_page_writes=on', 'shared_buffers=128MB'];

/** One cluster for all variants. Each has a database of its own, which uses the first workers only. */
let cluster: Promise<CitusCluster> | undefined;

export const CITUS_VARIANTS: readonly ScaleVariant[] = [
  { name: 'PostgreSQL as in the cluster, without Citus', start: startWithoutCitus },
  // First, because the nodes get the roles of the service from the first database.
  citus(2, 'Citus, 2 workers, 32 shards', 32),
  citus(1, 'Citus, 1 worker, 32 shards', 32),
  citus(2, 'Citus, 2 workers, 8 shards', 8),
  citus(2, 'Citus, 2 workers, 128 shards', 128),
];

function citus(workers: number, name: string, shards: number): ScaleVariant {
  return {
    name,
    async start(run) {
      cluster ??= startCluster(run);
      const { coordinator, workers: all, url } = await cluster;
      const nodes = [coordinator, ...all.slice(0, workers)];
      const database = `scale_${workers}_${shards}`;
      const urls = nodes.map(({ port }) => {
        const node = new URL(url);
        node.port = String(port);
        return node.toString();
      });
      await Promise.all(urls.map((node) => runAsAdmin(node, `CREATE DATABASE ${database}`)));
      await joinNodes(urls, database);
      const ownerUrl = inDatabase(url, database);
      await migrateDatabase(ownerUrl);
      await distributeDatabase(ownerUrl, shards, () => undefined);
      const names = ['coordinator', 'worker 1', 'worker 2'];
      return serve(run, name, {
        ownerUrl,
        nodes: nodes.map(({ pid }, index) => ({ name: names[index] ?? '', pid })),
      });
    },
  };
}

/** The same version with the same settings, so that the other variants show what Citus costs. */
async function startWithoutCitus(this: ScaleVariant, run: BenchRun): Promise<ScaleTarget> {
  const [version = 0] = await installedVersions();
  const server = await PostgresProcess.start({
    bin: programFolder(version),
    authentication: 'host all all 127.0.0.1/32 trust\n',
    settings: [...SETTINGS, 'max_connections=300'],
  });
  run.onClose(() => server.stop());
  const ownerUrl = server.superuserUrl.replace('postgres@', 'postgres:owner@');
  await migrateDatabase(ownerUrl);
  return serve(run, this.name, { ownerUrl, nodes: [{ name: 'PostgreSQL', pid: server.pid }] });
}

/** Seeds the migrated database and starts a service on it. */
async function serve(
  run: BenchRun,
  name: string,
  { ownerUrl, nodes }: { readonly ownerUrl: string; readonly nodes: readonly DatabaseNode[] },
): Promise<ScaleTarget> {
  const began = performance.now();
  await seedManyTenants(ownerUrl, run.issuer.url, run.manyTenants);
  run.log(`${name}: data created in ${Math.round((performance.now() - began) / 1000)} s`);
  const folder = await mkdtemp(path.join(run.database.folder, 'service-'));
  const { origin, pid } = await startVariant(run, { DATABASE_URL: ownerUrl, DATA_DIR: folder });
  return { origin, pid, nodes };
}

async function startCluster(run: BenchRun): Promise<CitusCluster> {
  const started = await CitusCluster.start({ workers: 2, settings: SETTINGS });
  run.onClose(() => started.stop());
  return started;
}
