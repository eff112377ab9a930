import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { postgresAccount } from '../../../src/platform/database/embedded/postgres-account.js';
import { findBinaries } from '../../../src/platform/database/embedded/postgres-binaries.js';
import { ensureCluster, locateCluster } from '../../../src/platform/database/embedded/postgres-cluster.js';
import { ownerUrl, startServer } from '../../../src/platform/database/embedded/postgres-server.js';
import {
  type Postmaster,
  type PostmasterPlan,
  stopPostmaster,
} from '../../../src/platform/database/embedded/postmaster.js';
import { migrateDatabase } from '../../../src/platform/database/schema/migrate.js';
import { freeTestPort } from '../../support/free-test-port.js';
import { databaseEnvironment, isPooled } from '../../support/pooler.js';
import { PgBouncer } from '../../support/servers/pgbouncer.js';

const SETTINGS = { listen_addresses: '127.0.0.1', unix_socket_directories: '', timezone: 'UTC' };

/** A PostgreSQL server that a test can stop and start, with the default durability. */
export class RestartablePostgres {
  private postmaster?: Postmaster;
  private pooler?: PgBouncer;

  private constructor(
    private readonly directory: string,
    private readonly plan: PostmasterPlan,
    private readonly port: number,
    private readonly password: string,
  ) {}

  /** Starts a server with the migrated schema, and PgBouncer in front of it if the test run has one. */
  static async create(): Promise<RestartablePostgres> {
    const directory = await realpath(await mkdtemp(path.join(tmpdir(), 'filing-own-postgres-')));
    // When this runs as root, the user of PostgreSQL needs access to the folder.
    await chmod(directory, 0o755);
    const account = await postgresAccount(path.join(directory, 'postgres'), silent);
    const binaries = await findBinaries(account, silent);
    const cluster = await locateCluster(directory, account);
    const password = randomBytes(16).toString('hex');
    await ensureCluster(cluster, password, binaries, account, true, silent);
    const logFile = path.join(directory, 'postgres.log');
    // The service reconnects to this port, so no other process may listen on it during an outage.
    const port = await freeTestPort();
    const postgres = new RestartablePostgres(
      directory,
      { binaries, account, cluster, logFile, settings: SETTINGS },
      port,
      password,
    );
    await postgres.start();
    await migrateDatabase(postgres.ownerUrl);
    if (isPooled()) postgres.pooler = await PgBouncer.startFor(postgres.ownerUrl);
    return postgres;
  }

  get ownerUrl(): string {
    return ownerUrl(this.port, this.password);
  }

  get environment(): NodeJS.ProcessEnv {
    return databaseEnvironment(this.ownerUrl, this.pooler?.through(this.ownerUrl));
  }

  /** Starts the server and waits until it has recovered and accepts connections. */
  async start(): Promise<void> {
    this.postmaster = await startServer(this.plan, async () => this.port, this.password, silent);
  }

  /** Stops all processes at once without shutdown, like `pg_ctl stop -m immediate`. */
  async stopImmediately(): Promise<void> {
    this.postmaster?.signal('SIGQUIT');
    await this.postmaster?.exited;
  }

  async drop(): Promise<void> {
    await this.pooler?.stop();
    if (this.postmaster) await stopPostmaster(this.postmaster, silent);
    await rm(this.directory, { recursive: true, force: true });
  }
}

function silent(): void {}
