import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Service } from '../../../src/start/service.js';
import { type TestDatabase, createTestDatabase } from '../database.js';
import { demoToken } from '../demo-token.js';
import { LONG_DATABASE_TIMEOUTS } from '../wait-until.js';

/** The service as `npm start` runs it, with its own database: embedded issuer, demo users, demo tenant. */
export class DemoService {
  private constructor(
    readonly url: string,
    /** Its output during the start. */
    readonly output: string,
    readonly dataDirectory: string,
    readonly database: TestDatabase,
    private readonly service: Service,
    private readonly isShared: boolean,
  ) {}

  /**
   * @param other an instance whose database and data folder this one shares; stop it after this one
   * @param own a new database, which the service drops when it stops
   */
  static async start(
    environment: NodeJS.ProcessEnv = {},
    other?: DemoService,
    own?: TestDatabase,
  ): Promise<DemoService> {
    const [database, directory] = await Promise.all([
      other?.database ?? own ?? createTestDatabase(),
      other?.dataDirectory ?? mkdtemp(path.join(tmpdir(), 'filing-test-')),
    ]);
    const lines: string[] = [];
    const service = new Service((line) => lines.push(line));
    await service.start({
      NODE_ENV: 'test',
      HOST: '127.0.0.1',
      PORT: '0',
      DATA_DIR: directory,
      ...database.environment,
      DATABASE_POOL_SIZE: '8',
      ...LONG_DATABASE_TIMEOUTS,
      LOG_LEVEL: 'fatal',
      ...environment,
    });
    const output = lines.join('\n');
    const url = /API\s+(http:\/\/\S+?)\/api/.exec(output)?.[1];
    if (url === undefined) throw new Error(`The output contains no URL:\n${output}`);
    return new DemoService(url, output, directory, database, service, other !== undefined);
  }

  /** An access token for a demo user or an e-mail address. */
  token(who: string): Promise<string> {
    return demoToken(this.url, this.dataDirectory, who);
  }

  async stop(): Promise<void> {
    await this.service.stop();
    if (this.isShared) return;
    await this.database.drop();
    // A terminated request may still be writing a file.
    await rm(this.dataDirectory, { recursive: true, force: true, maxRetries: 10 });
  }
}
