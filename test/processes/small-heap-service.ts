import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { TestService } from '../support/service/service.js';
import { ServiceProcess } from '../support/service/service-process.js';

const HEAP = '--max-old-space-size=512';

/** An instance in its own process, with the heap size of `npm start`, on the database and issuer of a test service. */
export class SmallHeapService {
  private constructor(
    /** The test service that creates tenants and users. */
    readonly testService: TestService,
    readonly process: ServiceProcess,
    readonly url: string,
    private readonly directory: string,
  ) {}

  static async start(environment: NodeJS.ProcessEnv = {}): Promise<SmallHeapService> {
    const testService = await TestService.start();
    const directory = await mkdtemp(path.join(tmpdir(), 'filing-heap-'));
    const process = new ServiceProcess({
      NODE_ENV: 'test',
      NODE_OPTIONS: HEAP,
      PORT: '0',
      METRICS_PORT: '0',
      DATA_DIR: directory,
      DATABASE_URL: testService.database.ownerUrl,
      DATABASE_SERVICE_URL: testService.database.serviceUrl,
      OIDC_ISSUER: testService.issuer.url,
      WORKER_CONCURRENCY: '0',
      ...environment,
    });
    return new SmallHeapService(testService, process, await process.url(), directory);
  }

  /** The heap limit of the instance in bytes. It depends on the version of Node. */
  static async heapSize(): Promise<number> {
    const program = 'process.stdout.write(`${v8.getHeapStatistics().heap_size_limit}`)';
    const { stdout } = await promisify(execFile)(process.execPath, [HEAP, '-e', program]);
    return Number(stdout);
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
    await this.testService.stop();
    await rm(this.directory, { recursive: true, force: true });
  }
}
