import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { createTenant } from '../../support/create-tenant.js';
import { type TestDatabase, createTestDatabase } from '../../support/database.js';
import { TestIssuer } from '../../support/servers/issuer.js';
import { ServiceProcess } from '../../support/service/service-process.js';

export const SLUG = 'faults';

type FixtureDatabase = Pick<TestDatabase, 'ownerUrl' | 'environment' | 'drop'>;

export interface ServiceFixtureOptions {
  /** E-mail addresses of the expected administrators of the tenant. */
  readonly emails: readonly string[];
  /** A migrated database; by default a new one on the server of the test run. */
  readonly database?: FixtureDatabase;
  /** Data folder of the service; by default a new folder, which is removed at the end. */
  readonly dataDirectory?: string;
}

/** A database with a tenant, a data folder and an issuer, which survive the service processes that use them. */
export class ServiceFixture {
  private readonly running = new Set<ServiceProcess>();

  private constructor(
    private readonly database: FixtureDatabase,
    private readonly issuer: TestIssuer,
    readonly directory: string,
    private readonly ownsDirectory: boolean,
    /** A pool without row-level security. */
    readonly owner: pg.Pool,
  ) {}

  static async prepare(options: ServiceFixtureOptions): Promise<ServiceFixture> {
    const [database, issuer, directory] = await Promise.all([
      options.database ?? createTestDatabase(),
      TestIssuer.start(),
      options.dataDirectory ?? mkdtemp(path.join(tmpdir(), 'filing-faults-')),
    ]);
    await createTenant(database.ownerUrl, {
      slug: SLUG,
      name: 'Faults',
      expectedMembers: options.emails.map((email) => ({ email, roleKey: 'administrator' })),
    });
    const owner = new pg.Pool({ connectionString: database.ownerUrl, max: 2 });
    owner.on('error', () => undefined);
    return new ServiceFixture(database, issuer, directory, options.dataDirectory === undefined, owner);
  }

  async cleanUp(): Promise<void> {
    for (const process of this.running) await this.kill(process);
    await this.owner.end();
    await this.issuer.stop();
    await this.database.drop();
    if (this.ownsDirectory) await rm(this.directory, { recursive: true, force: true });
  }

  start(entry: 'main' | 'worker', environment: NodeJS.ProcessEnv = {}): ServiceProcess {
    const process = new ServiceProcess(
      {
        PORT: '0',
        DATA_DIR: this.directory,
        ...this.database.environment,
        OIDC_ISSUER: this.issuer.url,
        RATE_LIMIT_PER_MINUTE: '1000000',
        RATE_LIMIT_BURST: '1000000',
        // Long limits, so that a slow machine does not cause errors.
        DATABASE_ACQUIRE_TIMEOUT_MS: '300000',
        DATABASE_STATEMENT_TIMEOUT_MS: '300000',
        SHUTDOWN_TIMEOUT_MS: '600000',
        ...environment,
      },
      { entry, built: true },
    );
    this.running.add(process);
    return process;
  }

  async kill(process: ServiceProcess): Promise<void> {
    process.signal('SIGKILL');
    await process.exit;
    this.running.delete(process);
  }

  /** An access token for the user with this address, valid for one hour. */
  token(email: string): Promise<string> {
    return this.issuer.token({ sub: email, email, email_verified: true });
  }
}
