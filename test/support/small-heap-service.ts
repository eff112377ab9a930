import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { TestService } from './service.js';
import { ServiceProcess } from './service-process.js';

/** An instance in a process of its own, with the heap of `npm start`, on the database and issuer of a test service. */
export class SmallHeapService {
  private constructor(
    /** Arranges tenants and people. */
    readonly beside: TestService,
    readonly process: ServiceProcess,
    readonly url: string,
    private readonly directory: string,
  ) {}

  static async start(environment: NodeJS.ProcessEnv = {}): Promise<SmallHeapService> {
    const beside = await TestService.start();
    const directory = await mkdtemp(path.join(tmpdir(), 'filing-heap-'));
    const process = new ServiceProcess({
      NODE_ENV: 'test',
      NODE_OPTIONS: '--max-old-space-size=512',
      PORT: '0',
      METRICS_PORT: '0',
      DATA_DIR: directory,
      DATABASE_URL: beside.database.ownerUrl,
      DATABASE_SERVICE_URL: beside.database.serviceUrl,
      OIDC_ISSUER: beside.issuer.url,
      WORKER_CONCURRENCY: '0',
      ...environment,
    });
    return new SmallHeapService(beside, process, await process.url(), directory);
  }

  async isAlive(): Promise<boolean> {
    return fetch(`${this.url}/livez`).then(
      ({ ok }) => ok,
      () => false,
    );
  }

  async stop(): Promise<void> {
    this.process.signal('SIGTERM');
    await this.process.exit;
    await this.beside.stop();
    await rm(this.directory, { recursive: true, force: true });
  }
}
