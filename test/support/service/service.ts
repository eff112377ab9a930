import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent } from 'node:http';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type NestExpressApplication } from '@nestjs/platform-express';
import pg from 'pg';
import { type DataSource } from 'typeorm';
import { createApplication, openDatabase } from '../../../src/application.js';
import { type Configuration, loadConfiguration } from '../../../src/platform/config/configuration.js';
import { CITUS_SETTINGS, startOptions } from '../../../src/platform/database/connections/session-limits.js';
import { ownerDataSource } from '../../../src/platform/database/data-source.js';
import { Extractor } from '../../../src/platform/extraction/extractor.js';
import { Previewer } from '../../../src/platform/extraction/previewer.js';
import { OpenApiDocument } from '../../../src/platform/documentation/openapi-document.js';
import { ACCESS_VERSIONS } from '../../../src/platform/database/transactions/database-layout.js';
import { Log } from '../../../src/platform/logging/log.js';
import { UnitOfWork } from '../../../src/platform/database/transactions/unit-of-work.js';
import { JobRunner } from '../../../src/platform/jobs/job-runner.js';
import { Recording } from '../../../src/platform/recording/recording.js';
import { TenantsService } from '../../../src/platform/tenancy/tenants/tenants.service.js';
import { Conformance } from '../../contract/conformance.js';
import { type TestDatabase, createTestDatabase, isDistributed } from '../database.js';
import { setRoleSettings } from '../pooler.js';
import { TestIssuer } from '../servers/issuer.js';
import { LONG_DATABASE_TIMEOUTS } from '../wait-until.js';
import { TestTenant } from '../tenant.js';
import { ServiceProcess } from './service-process.js';

/** Written in the background, from the audit entries. */
const SEQUENCED_TABLES = [
  ...['event_logs', 'event_queue', 'events'],
  ...['audit_trees', 'audit_leaves', 'audit_tiles', 'audit_keys'],
];

declare global {
  /** A global variable, so that the global teardown can stop it without importing the application. */
  var sharedTestService: Promise<TestService> | undefined;
}

/** The owner of all files that tests read. */
const OWNER = 'tests';

/**
 * Reads the files of all tenants in the same processes. The service starts a process for each tenant, which takes
 * 0.3 seconds of processor time: test/processes/extraction/extractor-pool-spec.ts.
 */
function shareReadingProcesses(app: NestExpressApplication): void {
  const [extractor, previewer] = [app.get(Extractor), app.get(Previewer)];
  const extract = extractor.extract.bind(extractor);
  extractor.extract = (request, signal) => extract({ ...request, owner: OWNER }, signal);
  const render = previewer.render.bind(previewer);
  previewer.render = (request, signal) => render({ ...request, owner: OWNER }, signal);
}

/**
 * The real application on a loopback port, with its own database and an issuer that signs tokens for any user. `owner` is
 * a pool without row-level security, with which tests read the tables.
 */
export class TestService {
  /** The same for all services: their documents differ only in the introduction, servers and security schemes. */
  private static cachedConformance?: Conformance;
  /** Keeps the connections of clients. */
  readonly agent = new Agent({ keepAlive: true });
  private cachedFingerprintQuery?: Promise<string>;
  private constructor(
    readonly app: NestExpressApplication,
    readonly configuration: Configuration,
    readonly database: TestDatabase,
    readonly issuer: TestIssuer,
    readonly owner: pg.Pool,
    private readonly dataSource: DataSource,
    private readonly ownerDataSource: DataSource,
    private readonly directory: string,
    private readonly isShared: boolean,
  ) {}

  /** The application of shared-service.ts. */
  static shared(): Promise<TestService> {
    // Trusts the address that each Actor sends: specs must not share one limit of failed authentications.
    globalThis.sharedTestService ??= TestService.start({ TRUSTED_PROXIES: '127.0.0.1' }).then((service) => {
      process.once('exit', () => rmSync(service.directory, { recursive: true, force: true }));
      return service;
    });
    return globalThis.sharedTestService;
  }

  /**
   * `environment` overrides the usual settings of tests. With `other`, the new instance shares the database and the issuer
   * of that one and must be stopped before it. The lines of the log are added to `lines`.
   */
  static async start(
    environment: NodeJS.ProcessEnv = {},
    other?: Pick<TestService, 'database' | 'issuer'>,
    lines?: string[],
  ): Promise<TestService> {
    const [database, issuer, directory] = await Promise.all([
      other?.database ?? createTestDatabase(),
      other?.issuer ?? TestIssuer.start(),
      mkdtemp(path.join(tmpdir(), 'filing-test-')),
    ]);
    const configuration = loadConfiguration({
      NODE_ENV: 'test',
      PORT: '0',
      DATA_DIR: directory,
      ...database.environment,
      OIDC_ISSUER: issuer.url,
      LOG_LEVEL: process.env.TEST_LOG_LEVEL ?? 'fatal',
      RATE_LIMIT_PER_MINUTE: '1000000',
      RATE_LIMIT_BURST: '1000000',
      RATE_LIMIT_READ_MS: '60000',
      DATABASE_POOL_SIZE: '8',
      ...LONG_DATABASE_TIMEOUTS,
      // Jobs run only when a test calls runJobs(), and no scheduled task runs during a test.
      WORKER_CONCURRENCY: '0',
      ...environment,
    });
    await setRoleSettings(database, configuration.databaseStatementTimeout);
    const dataSource = await openDatabase(configuration, database.pooledUrl);
    const owning = await ownerDataSource(database.ownerUrl).initialize();
    const owner = new pg.Pool({
      connectionString: database.ownerUrl,
      max: 3,
      // Planning the comparison of all rows takes as long as running it. Citus chooses the shard by the values.
      options: startOptions({
        ...CITUS_SETTINGS,
        ...(isDistributed() ? {} : { plan_cache_mode: 'force_generic_plan' }),
      }),
    });
    // Dropping the database emits an error on connections that are still closing; ignore it.
    owner.on('error', () => undefined);
    const app = await createApplication(
      configuration,
      dataSource,
      new Log(configuration, lines && { write: (line) => void lines.push(line) }),
    );
    shareReadingProcesses(app);
    // The client closes connections: a test may block the process longer than the idle timeout and then reuse a connection.
    app.getHttpServer().keepAliveTimeout = 0;
    await app.listen(0, '127.0.0.1');
    return new TestService(
      app,
      configuration,
      database,
      issuer,
      owner,
      dataSource,
      owning,
      directory,
      other !== undefined,
    );
  }

  get conformance(): Conformance {
    TestService.cachedConformance ??= new Conformance(this.app.get(OpenApiDocument).document);
    return TestService.cachedConformance;
  }

  get url(): string {
    const { port } = this.app.getHttpServer().address() as AddressInfo;
    return `http://127.0.0.1:${port}`;
  }

  get dataDirectory(): string {
    return this.directory;
  }

  /** Settings of a process with the database, the issuer and the folder of this service. */
  get environment(): NodeJS.ProcessEnv {
    return { ...this.database.environment, OIDC_ISSUER: this.issuer.url, DATA_DIR: this.directory };
  }

  /** Runs a command to its end. */
  run(entry: string, ...args: readonly string[]) {
    return ServiceProcess.run(this.environment, entry, ...args);
  }

  /** A new tenant with the built-in roles and no members. */
  async tenant(): Promise<TestTenant> {
    const slug = `t-${randomBytes(8).toString('hex')}`;
    // With the application's Recording, so that its sequencer adds the tenant's first event without delay.
    const { layout } = this.app.get(UnitOfWork);
    const uow = new UnitOfWork(this.ownerDataSource, this.app.get(Recording), layout);
    const id = await new TenantsService(uow).create({ slug, name: `Tenant ${slug}`, expectedMembers: [] });
    return new TestTenant(this, id, slug);
  }

  runJobs(): Promise<void> {
    return this.app.get(JobRunner).runDue();
  }

  async query<R extends pg.QueryResultRow>(sql: string, values: unknown[] = []): Promise<R[]> {
    return (await this.owner.query<R>(sql, values)).rows;
  }

  /** SQL that returns a hash (`print`) of the rows of tenant $1 for each table with `tenant_id`, and of its jobs. */
  fingerprintQuery(): Promise<string> {
    this.cachedFingerprintQuery ??= this.buildFingerprintQuery();
    return this.cachedFingerprintQuery;
  }

  private async buildFingerprintQuery(): Promise<string> {
    const tables = await this.query<{ name: string }>(
      `SELECT table_name AS name FROM information_schema.columns
         JOIN information_schema.tables USING (table_schema, table_name)
        WHERE table_schema = 'public' AND column_name = 'tenant_id' AND table_type = 'BASE TABLE'
          AND table_name <> ALL ($1::text[]) ORDER BY name`,
      [[ACCESS_VERSIONS, ...SEQUENCED_TABLES]],
    );
    const rows = [
      ...tables.map(
        ({ name }) =>
          `SELECT '${name}' AS name, hashtextextended(t::text, 0) AS hash FROM ${name} t WHERE tenant_id = $1`,
      ),
      `SELECT 'jobs', hashtextextended(t::text, 0) FROM
         (SELECT id, key, payload, attempts FROM graphile_worker._private_jobs WHERE payload ->> 'tenantId' = $1::text) t`,
    ];
    return `SELECT name, count(*) || ' ' || sum(hash) AS print FROM (${rows.join(' UNION ALL ')}) AS rows GROUP BY name`;
  }

  async stop(): Promise<void> {
    // The service would wait for further requests on these connections.
    this.agent.destroy();
    await this.app.close();
    await this.dataSource.destroy();
    await this.ownerDataSource.destroy();
    await this.owner.end();
    if (!this.isShared) {
      await this.issuer.stop();
      await this.database.drop();
    }
    // A terminated request may still be writing a file.
    await rm(this.directory, { recursive: true, force: true, maxRetries: 10 });
  }
}
