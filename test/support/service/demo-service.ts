import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { loadConfiguration } from '../../../src/platform/config/configuration.js';
import { findIssuerUser } from '../../../src/platform/identity/embedded/demo-users.js';
import { issueDemoToken } from '../../../src/platform/identity/embedded/demo-token.js';
import { Service } from '../../../src/service.js';
import { type TestDatabase, createTestDatabase } from '../database.js';
import { LONG_DATABASE_TIMEOUTS } from '../wait-until.js';

/** The whole process as `npm start` runs it, on a database of its own: embedded issuer, demo people, demo tenant. */
export class DemoService {
  private constructor(
    readonly url: string,
    /** What it printed while it started. */
    readonly output: string,
    readonly dataDirectory: string,
    readonly database: TestDatabase,
    private readonly service: Service,
    private readonly shares: boolean,
  ) {}

  /** @param beside shares its database and its data folder, and has to be stopped after this one */
  static async start(environment: NodeJS.ProcessEnv = {}, beside?: DemoService): Promise<DemoService> {
    const [database, directory] = await Promise.all([
      beside?.database ?? createTestDatabase(),
      beside?.dataDirectory ?? mkdtemp(path.join(tmpdir(), 'filing-test-')),
    ]);
    const lines: string[] = [];
    const service = new Service((line) => lines.push(line));
    await service.start({
      NODE_ENV: 'test',
      HOST: '127.0.0.1',
      PORT: '0',
      DATA_DIR: directory,
      DATABASE_URL: database.ownerUrl,
      DATABASE_POOL_SIZE: '8',
      ...LONG_DATABASE_TIMEOUTS,
      LOG_LEVEL: 'fatal',
      ...environment,
    });
    const output = lines.join('\n');
    const url = /API\s+(http:\/\/\S+?)\/api/.exec(output)?.[1];
    if (url === undefined) throw new Error(`It did not say where it is:\n${output}`);
    return new DemoService(url, output, directory, database, service, beside !== undefined);
  }

  /** An access token of the embedded issuer, for a demo person or an address, as the command line makes it. */
  async token(who: string): Promise<string> {
    const person = findIssuerUser(who);
    if (!person) throw new Error(`${who} is nobody`);
    const configuration = loadConfiguration({
      NODE_ENV: 'test',
      PUBLIC_URL: this.url,
      DATA_DIR: this.dataDirectory,
    });
    return issueDemoToken({ configuration, person });
  }

  async stop(): Promise<void> {
    await this.service.stop();
    if (this.shares) return;
    await this.database.drop();
    // Somebody who was cut off may still be putting a file away.
    await rm(this.dataDirectory, { recursive: true, force: true, maxRetries: 10 });
  }
}
