import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type BenchArguments } from './arguments.js';
import { type CapturedRequest } from './captured.js';
import { type BenchDatabase, openBenchDatabase } from './database.js';
import { BenchIssuer } from './issuer.js';
import { type Cores, findCores, pinSelf } from './machine.js';
import {
  DOCUMENTS_SLUG,
  getFileRequests,
  listFileDocumentsRequests,
  listFilesRequests,
  searchRequests,
} from './operations.js';
import { type PeerSettings } from './peers/settings.js';
import { SEED_SLUGS, seed } from './seed/seed.js';
import { type UserKey, seedUserEmail, seedUserId, tenantId } from './seed/tenants.js';
import { ServerProcess } from './server-process.js';
import { CapturingApplication } from './capturing-application.js';

/** Database connections of each server; the default of the service. */
const POOL_SIZE = 20;

export type PeerName = 'bare' | 'bareText' | 'fastify';

/** The environment of all benchmark modes: database, seed data, issuer, and servers on the same core. */
export class BenchRun {
  private readonly servers: ServerProcess[] = [];

  private constructor(
    readonly database: BenchDatabase,
    readonly issuer: BenchIssuer,
    readonly cores: Cores | null,
    readonly token: string,
    readonly log: (line: string) => void,
  ) {}

  static async open({ data }: BenchArguments, log: (line: string) => void): Promise<BenchRun> {
    const cores = findCores();
    pinSelf(cores);
    const issuer = await BenchIssuer.start();
    const database = await openBenchDatabase(process.env.DATABASE_URL, data, log);
    try {
      await seed(database.ownerUrl, issuer.url, log);
      const token = await issuer.token({ subject: 'admin', email: seedUserEmail('admin') });
      return new BenchRun(database, issuer, cores, token, log);
    } catch (error) {
      await database.stop();
      await issuer.stop();
      throw error;
    }
  }

  /** Settings of the service: as in production, with rate limits that no load reaches. */
  get serviceEnvironment(): Record<string, string> {
    return {
      NODE_ENV: 'production',
      DATABASE_URL: this.database.ownerUrl,
      DATA_DIR: path.join(this.database.folder, 'service'),
      OIDC_ISSUER: this.issuer.url,
      RATE_LIMIT_PER_MINUTE: '1000000',
      RATE_LIMIT_BURST: '1000000',
    };
  }

  headers(token = this.token): Record<string, string> {
    return { authorization: `Bearer ${token}` };
  }

  tokenOf(user: UserKey): Promise<string> {
    return this.issuer.token({ subject: user, email: seedUserEmail(user) });
  }

  startService(
    options: {
      nodeOptions?: readonly string[];
      probeEvery?: number;
      checkout?: string;
    } = {},
  ) {
    return this.start({
      program: 'service',
      environment: this.serviceEnvironment,
      cores: this.cores,
      logFile: path.join(this.database.folder, 'service.log'),
      probe: { path: listFilesRequests[0]?.path ?? '', headers: this.headers() },
      ...options,
    });
  }

  async startPeer(name: PeerName | 'nest', captured: readonly CapturedRequest[] = [], probeEvery?: number) {
    const settings: PeerSettings = {
      databaseUrl: this.database.peerUrl,
      poolSize: POOL_SIZE,
      timestamps: name === 'bareText' ? 'text' : 'date',
      tenants: Object.fromEntries(SEED_SLUGS.map((slug) => [slug, tenantId(slug)])),
      userId: seedUserId('admin'),
      captured,
      capturedTenant: tenantId(DOCUMENTS_SLUG),
    };
    const settingsFile = path.join(this.database.folder, `${name}.json`);
    await writeFile(settingsFile, JSON.stringify(settings));
    return this.start({
      program: name === 'bareText' ? 'bare' : name,
      environment: { PEER_SETTINGS: settingsFile },
      cores: this.cores,
      logFile: path.join(this.database.folder, `${name}.log`),
      probe: { path: name === 'nest' ? '/hello' : (listFilesRequests[0]?.path ?? '') },
      ...(probeEvery !== undefined && { probeEvery }),
    });
  }

  private async start(options: Parameters<typeof ServerProcess.start>[0]): Promise<ServerProcess> {
    const server = await ServerProcess.start(options);
    this.servers.push(server);
    return server;
  }

  startCapturingApplication(): Promise<CapturingApplication> {
    return CapturingApplication.start(this.database.ownerUrl, this.serviceEnvironment);
  }

  /** Captures the statements of the document requests, which the peers repeat. */
  async captureDocuments(): Promise<CapturedRequest[]> {
    const files = await listFileDocumentsRequests(this.database.ownerUrl);
    const application = await this.startCapturingApplication();
    try {
      const captured: CapturedRequest[] = [];
      for (const [operation, requests] of [
        ['ListFileDocuments', files],
        ['SearchDocuments', searchRequests],
      ] as const) {
        for (const request of requests)
          captured.push(await application.statementsOf(operation, request, this.headers()));
      }
      return captured;
    } finally {
      await application.stop();
    }
  }

  /** All servers must return the same bytes for these requests. */
  async sampleReads(): Promise<{ operation: string; path: string; method: 'GET' | 'POST'; body?: string }[]> {
    const { ownerUrl } = this.database;
    const named = (
      operation: string,
      requests: readonly { path: string; method: 'GET' | 'POST'; body?: string }[],
    ) => requests.map((request) => ({ operation, ...request }));
    return [
      ...named('ListFiles', listFilesRequests),
      ...named('GetFile', (await getFileRequests(ownerUrl)).slice(0, 40)),
      ...named('ListFileDocuments', await listFileDocumentsRequests(ownerUrl)),
      ...named('SearchDocuments', searchRequests),
    ];
  }

  async close(): Promise<void> {
    await Promise.all(this.servers.map((server) => server.stop()));
    await this.issuer.stop();
    await this.database.stop();
  }
}
