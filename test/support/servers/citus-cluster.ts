import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from '../../../src/platform/database/embedded/processes.js';
import { PostgresProcess, installedVersions, programFolder } from './postgres-process.js';

const PROJECT = fileURLToPath(new URL('../../../', import.meta.url));

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
    readonly coordinator: PostgresProcess,
    readonly workers: readonly PostgresProcess[],
  ) {}

  /** @param settings Further settings as `name=value`, which replace those of the tests. */
  static async start({
    workers = 2,
    settings = [],
  }: { readonly workers?: number; readonly settings?: readonly string[] } = {}): Promise<CitusCluster> {
    const version = await installedCitus();
    const started = await Promise.allSettled(
      Array.from({ length: workers + 1 }, () =>
        PostgresProcess.start({
          bin: programFolder(version),
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
      await Promise.all(nodes.map((node) => node.runAsSuperuser('CREATE EXTENSION citus')));
      await coordinator.runAsSuperuser(
        `SELECT citus_set_coordinator_host('127.0.0.1', ${coordinator.port})`,
        ...others.map(({ port }) => `SELECT citus_add_node('127.0.0.1', ${port})`),
      );
      return new CitusCluster(coordinator, others);
    } catch (error) {
      await Promise.all(nodes.map((node) => node.stop()));
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
  }
}

/**
 * Version of the installed PostgreSQL that has Citus. If none has, installs the archive of CITUS_ARCHIVE, or one from a folder
 * `citus` beside the project. An archive contains the extension's files with their paths from the root folder.
 */
async function installedCitus(): Promise<number> {
  const found = await versionWithCitus();
  if (found !== undefined) return found;
  const archive = process.env['CITUS_ARCHIVE'] ?? (await archiveBesideProject());
  if (!archive)
    throw new Error(
      'These tests need Citus. Set CITUS_DATABASE_URL to the coordinator of a cluster; or install PostgreSQL of Debian ' +
        'with the extension; or set CITUS_ARCHIVE to an archive of the files of the extension (then run as root).',
    );
  await run('tar', ['--extract', '--file', path.resolve(archive), '--directory', '/', '--no-overwrite-dir']);
  const installed = await versionWithCitus();
  if (installed === undefined)
    throw new Error(`${archive} has no Citus for the installed versions of PostgreSQL.`);
  return installed;
}

async function versionWithCitus(): Promise<number | undefined> {
  const versions = await installedVersions();
  return versions.find((version) => existsSync(`/usr/share/postgresql/${version}/extension/citus.control`));
}

async function archiveBesideProject(): Promise<string | undefined> {
  const beside = path.join(PROJECT, '..');
  for (const folder of await readdir(beside)) {
    const names = await readdir(path.join(beside, folder, 'citus')).catch(() => []);
    const archive = names.find((name) => /^citus-.*\.tar\.\w+$/.test(name));
    if (archive) return path.join(beside, folder, 'citus', archive);
  }
  return undefined;
}
