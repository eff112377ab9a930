import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Service } from '../../src/start/service.js';
import { messageFor } from '../../src/start/start-checks.js';
import { type TestDatabase, createTestDatabase } from '../support/database.js';
import { TestIssuer } from '../support/servers/issuer.js';
import { listen } from '../support/servers/local-server.js';
import { LONG_DATABASE_TIMEOUTS } from '../support/wait-until.js';
import { freeTestPort } from '../support/free-test-port.js';
import { ServiceProcess } from '../support/service/service-process.js';

/** Selects the embedded database and the embedded issuer, as `npm start` in a checkout does. */
const EMBEDDED = { DATABASE_URL: '', OIDC_ISSUER: '' };

describe('The start', () => {
  let database: TestDatabase;
  let issuer: TestIssuer;
  let directory: string;
  const running: ServiceProcess[] = [];

  const settings = (): NodeJS.ProcessEnv => ({
    HOST: '127.0.0.1',
    PORT: '0',
    DATA_DIR: directory,
    DATABASE_URL: database.ownerUrl,
    OIDC_ISSUER: issuer.url,
    ...LONG_DATABASE_TIMEOUTS,
    LOG_LEVEL: 'fatal',
  });

  const start = (environment: NodeJS.ProcessEnv, entry: 'main' | 'worker' = 'main'): ServiceProcess => {
    const service = new ServiceProcess({ ...settings(), ...environment }, { entry });
    running.push(service);
    return service;
  };

  /** Runs the service in this process. Expects this one line as message, and no other output. */
  const expectRefusal = async (environment: NodeJS.ProcessEnv, line: RegExp): Promise<void> => {
    const printed: string[] = [];
    const service = new Service((text) => printed.push(text));
    const error: unknown = await service
      .start({ ...settings(), ...environment })
      .catch((reason: unknown) => reason);
    const message = messageFor(error);
    expect(await service.stop()).toBe(true);
    expect(message).toMatch(line);
    expect(message.split('\n')).toHaveLength(1);
    expect(printed).toEqual([]);
  };

  beforeAll(async () => {
    [database, issuer] = await Promise.all([createTestDatabase(), TestIssuer.start()]);
    directory = await mkdtemp(path.join(tmpdir(), 'filing-start-'));
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

  describe('fails before anything is started', () => {
    it('when one of its ports is in use', async () => {
      const taken = net.createServer();
      const { port } = new URL(await listen(taken));
      await expectRefusal({ ...EMBEDDED, PORT: port }, new RegExp(`^Port ${port} of 127.0.0.1 is in use`));
      const ports = { PORT: String(await freeTestPort()), METRICS_PORT: port };
      await expectRefusal({ ...EMBEDDED, ...ports }, /in use\. .* METRICS_PORT to another port\.$/);
      const service = start({ ...EMBEDDED, PORT: port });
      expect(await service.exit).toBe(1);
      expect(service.output).toBe('');
      taken.close();
    });

    it('when the data folder cannot be created or written', async () => {
      const file = path.join(directory, 'file');
      await writeFile(file, '');
      const advice = String.raw`\. Set DATA_DIR to a folder that this user can write to\.$`;
      // In the second folder, Node's recursive mkdir never ends.
      for (const folder of [path.join(file, 'data'), '/proc/filing/data']) {
        const line = new RegExp(String.raw`^The data folder ${folder} cannot be created \(.*\)${advice}`);
        await expectRefusal({ DATA_DIR: folder }, line);
        await expectRefusal({ ...EMBEDDED, DATA_DIR: folder }, line);
      }
      if (process.getuid?.() === 0) return;
      const closed = path.join(directory, 'closed');
      await mkdir(closed, { mode: 0o500 });
      const line = new RegExp(String.raw`cannot be written \(permission denied\)${advice}`);
      await expectRefusal({ DATA_DIR: closed }, line);
    });
  });

  it('succeeds with a warning when the issuer does not answer', async () => {
    const url = `http://127.0.0.1:${await freeTestPort()}`;
    const service = start({ OIDC_ISSUER: url, NODE_ENV: 'production' });
    const ready = await fetch(`${await service.url()}/readyz`);
    expect(ready.status).toBe(503);
    expect(service.output).toContain(
      `Warning: the issuer ${url} does not answer (ECONNREFUSED). Until it does, requests with an access token and ` +
        '/readyz get a 503.',
    );
  });

  it('accepts tokens with a key that the issuer has published later', async () => {
    const service = start({ OIDC_ISSUER: issuer.url });
    const url = await service.url();
    await issuer.rotateKeys();
    const authorization = `Bearer ${await issuer.token()}`;
    expect((await fetch(`${url}/api/v1/tenants`, { headers: { authorization } })).status).toBe(200);
  });

  it('of a worker with the settings of a service succeeds, and prints the URL of its metrics', async () => {
    const port = await freeTestPort();
    const same = { METRICS_PORT: port };
    await start(same).url();
    const workers = [start(same, 'worker'), start(same, 'worker')];
    const printed = await Promise.all(workers.map((worker) => worker.waitForOutput(/Metrics\s+(http:\S+)/)));
    const urls = [`http://127.0.0.1:${port}/metrics`, ...printed.map(([, url]) => url ?? '')];
    expect(new Set(urls).size).toBe(3);
    for (const url of urls) expect((await fetch(url)).status).toBe(200);
  });
});
