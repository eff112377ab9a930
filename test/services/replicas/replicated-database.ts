import { migrateDatabase } from '../../../src/platform/database/schema/migrate.js';
import { ensureServiceRole } from '../../../src/platform/database/service-role/derived-service-role.js';
import { Replicas } from '../../../src/platform/database/replicas/replicas.js';
import { type TestDatabase } from '../../support/database.js';
import { TestIssuer } from '../../support/servers/issuer.js';
import { type PostgresProcess } from '../../support/servers/postgres-process.js';
import { TestService } from '../../support/service/service.js';
import { waitUntil } from '../../support/wait-until.js';
import { PostgresServer } from '../postgres-server.js';

/** A primary server with the migrated schema. Creates replicas of it. */
export class ReplicatedDatabase {
  private servers: PostgresServer[] = [];
  private services: RunningService[] = [];

  private constructor(
    readonly primary: PostgresServer,
    readonly database: TestDatabase,
    readonly issuer: TestIssuer,
  ) {}

  /** @param settings further settings of the primary as `name=value` */
  static async start(...settings: string[]): Promise<ReplicatedDatabase> {
    const primary = await PostgresServer.start(...settings);
    // Tests read and write without row-level security.
    await primary.server.runAsSuperuser('ALTER ROLE filing SUPERUSER');
    await migrateDatabase(primary.url, () => undefined);
    const serviceUrl = await ensureServiceRole(primary.url);
    return new ReplicatedDatabase(primary, databaseOf(primary, serviceUrl), await TestIssuer.start());
  }

  /** Promotes a replica of a primary that has ended. `stop` of this database also stops what belongs to the new one. */
  async promote({ postgres }: Replica): Promise<ReplicatedDatabase> {
    await postgres.server.runAsSuperuser('SELECT pg_promote()');
    const next = new ReplicatedDatabase(
      postgres,
      databaseOf(postgres, this.database.serviceUrl),
      this.issuer,
    );
    next.services = this.services;
    next.servers = this.servers;
    return next;
  }

  async replica(...settings: string[]): Promise<Replica> {
    const server = await this.primary.replica(...settings);
    this.servers.push(server);
    return new Replica(server, this.primary.server);
  }

  /** @param replicaUrls as in DATABASE_REPLICA_URLS */
  async service(
    replicaUrls: readonly string[],
    environment: NodeJS.ProcessEnv = {},
  ): Promise<RunningService> {
    const lines: string[] = [];
    const service = await TestService.start(
      {
        ...this.database.environment,
        DATABASE_REPLICA_URLS: replicaUrls.join(','),
        LOG_LEVEL: 'info',
        LOG_FORMAT: 'json',
        ...environment,
      },
      this,
      lines,
    );
    const running = new RunningService(service, lines);
    this.services.push(running);
    return running;
  }

  async stop(): Promise<void> {
    for (const running of this.services) await running.stop();
    await this.issuer.stop();
    for (const server of this.servers) await server.stop();
    await this.primary.stop();
  }
}

/** A replica whose replay a test controls. */
export class Replica {
  constructor(
    readonly postgres: PostgresServer,
    private primary: PostgresProcess,
  ) {}

  get server(): PostgresProcess {
    return this.postgres.server;
  }

  /** As in DATABASE_REPLICA_URLS. */
  get url(): string {
    return `postgres://127.0.0.1:${this.server.port}`;
  }

  async pauseReplay(): Promise<void> {
    await this.server.runAsSuperuser('SELECT pg_wal_replay_pause()');
    await waitUntil(async () => {
      const [row] = await this.server.queryAsSuperuser<{ state: string }>(
        'SELECT pg_get_wal_replay_pause_state() AS state',
      );
      return row?.state === 'paused';
    }, 'the pause of the replay');
  }

  async resumeReplay(): Promise<void> {
    await this.server.runAsSuperuser('SELECT pg_wal_replay_resume()');
  }

  /** Makes it receive changes from another primary, or from none. */
  async follow(primary: PostgresProcess | null): Promise<void> {
    const connection = primary ? `host=127.0.0.1 port=${primary.port} user=postgres` : '';
    await this.server.runAsSuperuser(
      `ALTER SYSTEM SET primary_conninfo = '${connection}'`,
      'SELECT pg_reload_conf()',
    );
    if (primary) this.primary = primary;
    else
      await waitUntil(
        async () => (await this.server.queryAsSuperuser('SELECT FROM pg_stat_wal_receiver')).length === 0,
        'the end of the replication',
      );
  }

  /** Waits until the replica has replayed what the primary has written so far. */
  async catchUp(): Promise<void> {
    const [row] = await this.primary.queryAsSuperuser<{ lsn: string }>(
      'SELECT pg_current_wal_insert_lsn()::text AS lsn',
    );
    await waitUntil(async () => {
      const [found] = await this.server.queryAsSuperuser<{ has: boolean }>(
        `SELECT pg_last_wal_replay_lsn() >= '${row?.lsn}'::pg_lsn AS has`,
      );
      return found?.has === true;
    }, 'the replay');
  }
}

/** The metrics of the replicas. */
export interface ReadCounts {
  /** Requests answered by replicas. */
  readonly answered: number;
  /** Requests answered by the primary, by reason. */
  readonly reasons: Readonly<Record<string, number>>;
}

export class RunningService {
  constructor(
    readonly service: TestService,
    private readonly lines: readonly string[],
  ) {}

  private isStopped = false;

  async stop(): Promise<void> {
    if (!this.isStopped) await this.service.stop();
    this.isStopped = true;
  }

  /** Lines of the log about replicas: `<reason>`, or `ready`. */
  get changes(): string[] {
    return this.lines
      .map((line) => JSON.parse(line) as { msg: string; replica?: string; reason?: string })
      .filter(({ replica }) => replica !== undefined)
      .map(({ reason }) => reason ?? 'ready');
  }

  async waitForChange(reason: string, count = 1): Promise<void> {
    await waitUntil(
      () => this.changes.filter((change) => change === reason).length >= count,
      () => `${count} × ${reason} in the log: ${this.changes.join(', ')}`,
    );
  }

  async counts(): Promise<ReadCounts> {
    const { answered, sentBack } = this.service.app.get(Replicas).metrics;
    const values = async (metric: typeof answered | typeof sentBack) => (await metric.get()).values;
    return {
      answered: (await values(answered)).reduce((sum, { value }) => sum + value, 0),
      reasons: Object.fromEntries(
        (await values(sentBack)).map(({ labels, value }) => [(labels as { reason: string }).reason, value]),
      ),
    };
  }

  /** Runs `work` and returns its result with what the counters have grown by. */
  async counting<T>(work: () => PromiseLike<T>): Promise<{ result: T } & ReadCounts> {
    const before = await this.counts();
    const result = await work();
    const after = await this.counts();
    const grown = Object.entries(after.reasons)
      .map(([reason, value]) => [reason, value - (before.reasons[reason] ?? 0)] as const)
      .filter(([, value]) => value > 0);
    return { result, answered: after.answered - before.answered, reasons: Object.fromEntries(grown) };
  }

  /** Sends a request until a replica has answered it. A replica is not used for a moment after it was behind. */
  async fromReplica<T>(send: () => PromiseLike<T>): Promise<T> {
    let answer: T | undefined;
    await waitUntil(
      async () => {
        const counted = await this.counting(send);
        answer = counted.result;
        return counted.answered === 1;
      },
      () => `an answer of a replica; state: ${this.changes.join(', ')}`,
    );
    return answer as T;
  }
}

function databaseOf({ url, server }: PostgresServer, serviceUrl: string): TestDatabase {
  const login = new URL(serviceUrl);
  login.port = String(server.port);
  return {
    ownerUrl: url,
    serviceUrl: login.toString(),
    pooledUrl: login.toString(),
    environment: { DATABASE_URL: url },
    drop: () => Promise.resolve(),
  };
}
