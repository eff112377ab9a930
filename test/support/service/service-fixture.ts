import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { createTenant } from '../create-tenant.js';
import { type TestDatabase, createTestDatabase } from '../database.js';
import { TestIssuer } from '../servers/issuer.js';
import { LONG_DATABASE_TIMEOUTS } from '../wait-until.js';
import { ServiceProcess } from './service-process.js';

export const SLUG = 'registry';

type FixtureDatabase = Pick<TestDatabase, 'ownerUrl' | 'environment' | 'drop'>;

interface ServiceFixtureOptions {
  /** E-mail addresses of the expected administrators of the tenant. */
  readonly emails?: readonly string[];
  /** A migrated database; by default a new one on the server of the test run. */
  readonly database?: FixtureDatabase;
  /** Data folder of the service; by default a new folder, which is removed at the end. */
  readonly dataDirectory?: string;
  /** Whether to run the bundle instead of the sources that the tests have compiled. */
  readonly built?: boolean;
}

interface ApiRequest {
  readonly method?: string;
  /** Sent as JSON, unless it is a form. */
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A database with a tenant, a data folder and an issuer, which survive the service processes that use them. */
export class ServiceFixture {
  private readonly running = new Set<ServiceProcess>();
  /** A pool without row-level security. */
  readonly owner: pg.Pool;

  private constructor(
    private readonly database: FixtureDatabase,
    readonly issuer: TestIssuer,
    readonly directory: string,
    private readonly options: ServiceFixtureOptions,
  ) {
    this.owner = new pg.Pool({ connectionString: database.ownerUrl, max: 2 });
    this.owner.on('error', () => undefined);
  }

  static async prepare(options: ServiceFixtureOptions = {}): Promise<ServiceFixture> {
    const [database, issuer, directory] = await Promise.all([
      options.database ?? createTestDatabase(),
      TestIssuer.start(),
      options.dataDirectory ?? mkdtemp(path.join(tmpdir(), 'filing-process-')),
    ]);
    const { emails = [] } = options;
    await createTenant(database.ownerUrl, {
      slug: SLUG,
      name: 'Registry',
      expectedMembers: emails.map((email) => ({ email, roleKey: 'administrator' })),
    });
    return new ServiceFixture(database, issuer, directory, options);
  }

  async cleanUp(): Promise<void> {
    await this.killAll();
    await this.owner.end();
    await this.issuer.stop();
    await this.database.drop();
    if (this.options.dataDirectory === undefined) await rm(this.directory, { recursive: true, force: true });
  }

  get ownerUrl(): string {
    return this.database.ownerUrl;
  }

  /** The settings of a service. Its limits are so high that a slow machine causes no errors. */
  get settings(): NodeJS.ProcessEnv {
    return {
      HOST: '127.0.0.1',
      PORT: '0',
      METRICS_PORT: '0',
      DATA_DIR: this.directory,
      ...this.database.environment,
      OIDC_ISSUER: this.issuer.url,
      RATE_LIMIT_PER_MINUTE: '1000000',
      RATE_LIMIT_BURST: '1000000',
      RATE_LIMIT_READ_MS: '60000',
      ...LONG_DATABASE_TIMEOUTS,
      SHUTDOWN_TIMEOUT_MS: '600000',
    };
  }

  start(entry: 'main' | 'worker', environment: NodeJS.ProcessEnv = {}): ServiceProcess {
    const { built = false } = this.options;
    const process = new ServiceProcess({ ...this.settings, ...environment }, { entry, built });
    this.running.add(process);
    return process;
  }

  async kill(process: ServiceProcess): Promise<void> {
    process.signal('SIGKILL');
    await process.exit;
    this.running.delete(process);
  }

  async killAll(): Promise<void> {
    for (const process of this.running) await this.kill(process);
  }

  /** An access token for the user with this address, valid for one hour. */
  token(email: string): Promise<string> {
    return this.issuer.token({ sub: email, email, email_verified: true });
  }

  async authorization(email: string): Promise<{ readonly Authorization: string }> {
    return { Authorization: `Bearer ${await this.token(email)}` };
  }

  /** Sends a request of the user on a connection of its own: a kept one might just be closing. */
  async send(
    url: string,
    email: string,
    to: string,
    { method = 'GET', body, headers }: ApiRequest = {},
  ): Promise<Response> {
    const isForm = body instanceof FormData;
    return fetch(`${url}/api/v1/t/${SLUG}${to}`, {
      method,
      headers: {
        ...(await this.authorization(email)),
        Connection: 'close',
        ...(body && !isForm && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body && { body: isForm ? body : JSON.stringify(body) }),
    });
  }
}
