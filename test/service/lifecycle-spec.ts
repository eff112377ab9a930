import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import pg from 'pg';
import { ownerDataSource } from '../../src/database/data-source.js';
import { UnitOfWork } from '../../src/database/unit-of-work.js';
import { Recording } from '../../src/recording/recording.js';
import { TenantsService } from '../../src/tenancy/tenants.service.js';
import { type TestDatabase, createTestDatabase } from '../support/database.js';
import { TestIssuer } from '../support/issuer.js';

jest.setTimeout(120_000);

/** The service as a process of its own, from its sources. */
class ServiceProcess {
  output = '';
  errors = '';
  private readonly child: ChildProcess;
  readonly exit: Promise<number | null>;

  constructor(environment: NodeJS.ProcessEnv) {
    this.child = spawn(
      process.execPath,
      ['--import', './test/support/register-typescript.mjs', 'src/main.ts'],
      {
        env: { PATH: process.env.PATH, LOG_LEVEL: 'warn', HOST: '127.0.0.1', ...environment },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    this.child.stdout?.on('data', (chunk) => (this.output += String(chunk)));
    this.child.stderr?.on('data', (chunk) => (this.errors += String(chunk)));
    this.exit = once(this.child, 'exit').then(([code]) => code as number | null);
  }

  async printed(pattern: RegExp): Promise<RegExpExecArray> {
    for (let tries = 0; tries < 600; tries += 1) {
      const match = pattern.exec(this.output);
      if (match) return match;
      if (this.child.exitCode !== null) break;
      await sleep(100);
    }
    throw new Error(`${String(pattern)} was not printed:\n${this.output}\n${this.errors}`);
  }

  async url(): Promise<string> {
    return (await this.printed(/API\s+(http:\/\/\S+?)\/api/))[1] ?? '';
  }

  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }
}

const EMAIL = 'registrar@people.example';

describe('The process', () => {
  let database: TestDatabase;
  let issuer: TestIssuer;
  let directory: string;
  const running: ServiceProcess[] = [];

  const start = (environment: NodeJS.ProcessEnv = {}): ServiceProcess => {
    const service = new ServiceProcess({
      PORT: '0',
      DATA_DIR: directory,
      DATABASE_URL: database.ownerUrl,
      OIDC_ISSUER: issuer.url,
      ...environment,
    });
    running.push(service);
    return service;
  };

  /** It ends by itself, with 1 and this one sentence. */
  const refuses = async (environment: NodeJS.ProcessEnv, sentence: RegExp): Promise<void> => {
    const service = start(environment);
    expect(await service.exit).toBe(1);
    expect(service.errors.trim()).toMatch(sentence);
    expect(service.errors.trim().split('\n')).toHaveLength(1);
  };

  beforeAll(async () => {
    [database, issuer] = await Promise.all([createTestDatabase(), TestIssuer.start()]);
    const owning = await ownerDataSource(database.ownerUrl).initialize();
    await new TenantsService(new UnitOfWork(owning, new Recording())).create({
      slug: 'registry',
      name: 'Registry',
      expected: [{ email: EMAIL, roleKey: 'administrator' }],
    });
    await owning.destroy();
    directory = await mkdtemp(path.join(tmpdir(), 'filing-process-'));
  });

  afterEach(async () => {
    for (const service of running.splice(0)) {
      service.signal('SIGKILL');
      await service.exit;
    }
  });

  afterAll(async () => {
    await issuer.stop();
    await database.drop();
    await rm(directory, { recursive: true, force: true });
  });

  describe('refuses to start, in one sentence,', () => {
    it('with a configuration that cannot be used, naming all of its faults', () =>
      refuses(
        { PORT: 'eighty', LOG_LEVEL: 'loud', RATE_LIMIT_BURST: '0' },
        /^The configuration cannot be used: PORT must .*; RATE_LIMIT_BURST must .*; LOG_LEVEL must .*\.$/,
      ));

    it('in production without an issuer', () =>
      refuses(
        { NODE_ENV: 'production', OIDC_ISSUER: undefined },
        /^The configuration cannot be used: OIDC_ISSUER must be set/,
      ));

    it('when its port is in use', async () => {
      const taken = net.createServer().listen(0, '127.0.0.1');
      await once(taken, 'listening');
      const { port } = taken.address() as AddressInfo;
      await refuses({ PORT: String(port) }, new RegExp(`^Port ${port} of 127.0.0.1 is in use`));
      await refuses({ METRICS_PORT: String(port) }, /in use: .* METRICS_PORT to another port\.$/);
      taken.close();
    });

    it('when the database cannot be reached, or lets nobody in', async () => {
      await refuses(
        { DATABASE_URL: 'postgres://somebody:secret@127.0.0.1:1/nowhere' },
        /^The database cannot be reached: /,
      );
      const wrong = new URL(database.ownerUrl);
      wrong.password = 'hunter2';
      const service = start({ DATABASE_URL: wrong.toString() });
      expect(await service.exit).toBe(1);
      expect(service.errors).toMatch(/^The database cannot be reached: password authentication failed/);
      expect(service.errors + service.output).not.toContain('hunter2');
    });

    it('when the role of DATABASE_URL lacks the rights', async () => {
      const owner = new pg.Client({ connectionString: database.ownerUrl });
      await owner.connect();
      await owner.query(`CREATE ROLE filing_powerless LOGIN PASSWORD 'x'`);
      try {
        const powerless = new URL(database.ownerUrl);
        powerless.username = 'filing_powerless';
        powerless.password = 'x';
        await refuses(
          { DATABASE_URL: powerless.toString() },
          /^The schema cannot be brought up to date: .*permission denied/,
        );
        await refuses(
          { DATABASE_SERVICE_URL: powerless.toString() },
          /^The role of DATABASE_SERVICE_URL must be a member of/,
        );
        await refuses(
          { DATABASE_SERVICE_URL: database.ownerUrl },
          /^The role of DATABASE_SERVICE_URL must not be a superuser/,
        );
      } finally {
        await owner.query('DROP ROLE filing_powerless');
        await owner.end();
      }
    });
  });

  describe('stops', () => {
    const BODY = JSON.stringify({ fileTypeId: 'none', number: '1', name: 'x' });

    /** A request whose body is only half there: it is in flight until somebody sends the rest. */
    const beginRequest = async (url: string, agent?: http.Agent) => {
      const token = await issuer.token({ sub: 'registrar', email: EMAIL, email_verified: true });
      const request = http.request(`${url}/api/v1/t/registry/files`, {
        agent,
        method: 'POST',
        headers: {
          Authorization: `Bearer ${token}`,
          'Content-Type': 'application/json',
          'Content-Length': BODY.length,
        },
      });
      request.write(BODY.slice(0, 5));
      await sleep(500);
      return request;
    };

    it.each(['SIGTERM', 'SIGINT'] as const)(
      'on %s: finishes the request in flight, takes no new one, and ends with 0',
      async (signal) => {
        const service = start();
        const url = await service.url();
        const agent = new http.Agent({ keepAlive: true });
        const request = await beginRequest(url, agent);
        const answered = once(request, 'response') as Promise<[http.IncomingMessage]>;
        service.signal(signal);
        await service.printed(/finishing the requests in flight/);
        await sleep(300);
        await expect(fetch(`${url}/livez`)).rejects.toThrow('fetch failed');
        request.end(BODY.slice(5));
        const [response] = await answered;
        expect(response.statusCode).toBe(400);
        response.resume();
        expect(await service.exit).toBe(0);
        expect(service.output).toMatch(/Stopped\.\s*$/);
        expect(service.errors).toBe('');
        agent.destroy();
      },
    );

    it('cuts off what does not finish in time, and says so by its exit code', async () => {
      const service = start({ SHUTDOWN_TIMEOUT_MS: '300' });
      const request = await beginRequest(await service.url());
      const broken = once(request, 'error');
      service.signal('SIGTERM');
      await broken;
      expect(await service.exit).toBe(1);
    });

    it('in the middle of starting', async () => {
      const service = start();
      await service.printed(/Bringing the schema/);
      service.signal('SIGTERM');
      expect([0, 1]).toContain(await service.exit);
      expect(service.output).toMatch(/Stopped\.\s*$/);
    });
  });
});
