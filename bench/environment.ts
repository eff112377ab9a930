import path from 'node:path';
import { createTenant } from '../test/support/create-tenant.js';
import { TestIssuer } from '../test/support/servers/issuer.js';
import { type BenchDatabase, openBenchDatabase } from './database.js';
import { type Cores, pinSelf } from './machine.js';
import { type ServerOptions, ServerProcess, serviceProgram } from './server-process.js';

const TOKEN_SECONDS = 12 * 60 * 60;

/** Rate limits that no load reaches. */
export const UNLIMITED_REQUESTS = { RATE_LIMIT_PER_MINUTE: '1000000', RATE_LIMIT_BURST: '1000000' };

export const emailOf = (user: string) => `${user}@bench.example`;

interface ServiceOptions extends Partial<
  Pick<ServerOptions, 'environment' | 'file' | 'nodeOptions' | 'probe'>
> {
  /** Folder of another checkout with a build of the service. */
  readonly checkout?: string | undefined;
}

/** Database, issuer and servers of a run. `close` stops them. */
export class BenchEnvironment {
  private readonly servers: ServerProcess[] = [];

  private constructor(
    readonly database: BenchDatabase,
    readonly issuer: TestIssuer,
    /** Null without pinning. */
    private readonly cores: Cores | null,
  ) {}

  /** @param data the folder that keeps the database; a temporary one by default */
  static async open(cores: Cores | null, data: string | undefined): Promise<BenchEnvironment> {
    pinSelf(cores);
    const issuer = await TestIssuer.start();
    try {
      const database = await openBenchDatabase(process.env.DATABASE_URL, data);
      return new BenchEnvironment(database, issuer, cores);
    } catch (error) {
      await issuer.stop();
      throw error;
    }
  }

  /** Settings of the service, as in production. */
  get serviceEnvironment(): Record<string, string> {
    return {
      DATABASE_URL: this.database.ownerUrl,
      DATA_DIR: path.join(this.database.folder, 'data'),
      OIDC_ISSUER: this.issuer.url,
    };
  }

  tokenOf(user: string): Promise<string> {
    const exp = Math.floor(Date.now() / 1000) + TOKEN_SECONDS;
    return this.issuer.token({ sub: user, email: emailOf(user), email_verified: true, name: user, exp });
  }

  async headersOf(user: string): Promise<Record<string, string>> {
    return { authorization: `Bearer ${await this.tokenOf(user)}` };
  }

  /** Creates a tenant with these users as administrators. */
  createTenant(slug: string, users: readonly string[]): Promise<void> {
    const expectedMembers = users.map((user) => ({
      email: emailOf(user),
      roleKey: 'administrator' as const,
    }));
    return createTenant(this.database.ownerUrl, { slug, name: slug, expectedMembers });
  }

  startService({
    environment = {},
    checkout,
    file,
    nodeOptions = [],
    probe = { path: '/readyz' },
  }: ServiceOptions = {}): Promise<ServerProcess> {
    const program = serviceProgram(checkout);
    return this.startServer('service', {
      file: file ?? program.file,
      nodeOptions: [...program.nodeOptions, ...nodeOptions],
      environment: { ...this.serviceEnvironment, ...environment },
      probe,
    });
  }

  async startServer(name: string, options: Omit<ServerOptions, 'cores' | 'logFile'>): Promise<ServerProcess> {
    const logFile = path.join(this.database.folder, `${name}.log`);
    const server = await ServerProcess.start({ ...options, logFile, cores: this.cores });
    this.servers.push(server);
    return server;
  }

  async close(): Promise<void> {
    await Promise.all(this.servers.map((server) => server.stop()));
    await this.issuer.stop();
    await this.database.stop();
  }
}
