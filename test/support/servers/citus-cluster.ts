import { type CitusInstallation, citusInstallation } from './citus-installation.js';
import { PostgresProcess } from './postgres-process.js';

/** The nodes connect to each other as every role, without passwords. */
const AUTHENTICATION = 'host all all 127.0.0.1/32 trust\nhost replication all 127.0.0.1/32 trust\n';

const SETTINGS = [
  'shared_preload_libraries=citus',
  'max_prepared_transactions=200',
  'wal_level=logical', // To move shards without blocking writes.
  'max_connections=300',
  'shared_buffers=32MB',
  'synchronous_commit=off',
  'full_page_writes=off',
  'max_worker_processes=40', // One maintenance daemon for each database.
  'max_logical_replication_workers=16',
  'max_sync_workers_per_subscription=2',
  'wal_receiver_status_interval=1',
  'citus.local_hostname=127.0.0.1',
  'citus.max_client_connections=-1',
  'citus.max_cached_conns_per_worker=1',
  'citus.recover_2pc_interval=5s',
  'citus.distributed_deadlock_detection_factor=2',
  'citus.enable_statistics_collection=off',
  'citus.node_conninfo=sslmode=disable',
];

/** A coordinator and workers on this machine. */
export class CitusCluster {
  private constructor(
    private readonly installation: CitusInstallation,
    readonly coordinator: PostgresProcess,
    readonly workers: readonly PostgresProcess[],
  ) {}

  /** @param settings Further settings as `name=value`, which replace those of the tests. */
  static async start({
    workers = 2,
    settings = [],
  }: { readonly workers?: number; readonly settings?: readonly string[] } = {}): Promise<CitusCluster> {
    const installation = await citusInstallation();
    const started = await Promise.allSettled(
      Array.from({ length: workers + 1 }, () =>
        PostgresProcess.start({
          bin: installation.bin,
          authentication: AUTHENTICATION,
          settings: [...SETTINGS, ...settings],
        }),
      ),
    );
    const nodes = started.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    try {
      const [coordinator, ...others] = nodes;
      const failed = started.find((result) => result.status === 'rejected');
      if (failed || !coordinator) throw failed?.reason;
      await Promise.all(nodes.map(prepare));
      await coordinator.runAsSuperuser(
        `SELECT citus_set_coordinator_host('127.0.0.1', ${coordinator.port})`,
        ...others.map(({ port }) => `SELECT citus_add_node('127.0.0.1', ${port})`),
      );
      return new CitusCluster(installation, coordinator, others);
    } catch (error) {
      await Promise.all(nodes.map((node) => node.stop()));
      await installation.remove();
      throw error;
    }
  }

  /** URL of a database of the coordinator with the superuser as owner. */
  get url(): string {
    // No node asks for the password. The service derives that of its own role from it.
    return `postgres://postgres:owner@127.0.0.1:${this.coordinator.port}/postgres`;
  }

  async stop(): Promise<void> {
    await Promise.all([this.coordinator, ...this.workers].map((node) => node.stop()));
    await this.installation.remove();
  }
}

async function prepare(node: PostgresProcess): Promise<void> {
  // Newer minor releases allow only listed plugins. Citus needs its own to split a shard.
  const [plugins] = await node.queryAsSuperuser(
    `SELECT FROM pg_settings WHERE name = 'output_plugin_libraries'`,
  );
  if (plugins)
    await node.runAsSuperuser(
      'ALTER SYSTEM SET output_plugin_libraries TO pgoutput, citus',
      'SELECT pg_reload_conf()',
    );
  await node.runAsSuperuser('CREATE EXTENSION citus');
}
