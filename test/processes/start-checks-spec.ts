import { mkdir, writeFile } from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { freeTestPort } from '../support/free-test-port.js';
import { listen } from '../support/servers/local-server.js';
import { ServiceFixture } from '../support/service/service-fixture.js';
import { tryStart } from '../support/service/try-start.js';

/** Selects the embedded database and the embedded issuer, as `npm start` in a checkout does. */
const EMBEDDED = { DATABASE_URL: '', OIDC_ISSUER: '' };

describe('The start', () => {
  let fixture: ServiceFixture;
  beforeAll(async () => {
    fixture = await ServiceFixture.prepare();
  });
  afterEach(() => fixture.killAll());
  afterAll(() => fixture.cleanUp());

  /** Expects this one line as message, and no other output. */
  const expectRefusal = async (environment: NodeJS.ProcessEnv, line: RegExp): Promise<void> => {
    const { outcome, printed } = await tryStart({ ...fixture.settings, ...environment });
    expect(outcome).toMatch(line);
    expect(outcome.split('\n')).toHaveLength(1);
    expect(printed).toEqual([]);
  };

  describe('fails before anything is started', () => {
    it('when one of its ports is in use', async () => {
      const taken = net.createServer();
      const { port } = new URL(await listen(taken));
      await expectRefusal({ ...EMBEDDED, PORT: port }, new RegExp(`^Port ${port} of 127.0.0.1 is in use`));
      const ports = { PORT: String(await freeTestPort()), METRICS_PORT: port };
      await expectRefusal({ ...EMBEDDED, ...ports }, /in use\. .* METRICS_PORT to another port\.$/);
      const service = fixture.start('main', { ...EMBEDDED, LOG_LEVEL: 'fatal', PORT: port });
      expect(await service.exit).toBe(1);
      expect(service.output).toBe('');
      taken.close();
    });

    it('when the data folder cannot be created or written', async () => {
      const file = path.join(fixture.directory, 'file');
      await writeFile(file, '');
      const advice = String.raw`\. Set DATA_DIR to a folder that this user can write to\.$`;
      // In the second folder, Node's recursive mkdir never ends.
      for (const folder of [path.join(file, 'data'), '/proc/filing/data']) {
        const line = new RegExp(String.raw`^The data folder ${folder} cannot be created \(.*\)${advice}`);
        await expectRefusal({ DATA_DIR: folder }, line);
        await expectRefusal({ ...EMBEDDED, DATA_DIR: folder }, line);
      }
      if (process.getuid?.() === 0) return;
      const closed = path.join(fixture.directory, 'closed');
      await mkdir(closed, { mode: 0o500 });
      const line = new RegExp(String.raw`cannot be written \(permission denied\)${advice}`);
      await expectRefusal({ DATA_DIR: closed }, line);
    });
  });

  it('succeeds with a warning when the issuer does not answer', async () => {
    const url = `http://127.0.0.1:${await freeTestPort()}`;
    const service = fixture.start('main', { OIDC_ISSUER: url, NODE_ENV: 'production' });
    const ready = await fetch(`${await service.url()}/readyz`);
    expect(ready.status).toBe(503);
    expect(service.output).toContain(
      `Warning: the issuer ${url} does not answer (ECONNREFUSED). Until it does, requests with an access token and ` +
        '/readyz get a 503.',
    );
  });

  it('accepts tokens with a key that the issuer has published later', async () => {
    const url = await fixture.start('main').url();
    await fixture.issuer.rotateKeys();
    const authorization = `Bearer ${await fixture.issuer.token()}`;
    expect((await fetch(`${url}/api/v1/tenants`, { headers: { authorization } })).status).toBe(200);
  });

  it('of a worker with the settings of a service succeeds, and prints the URL of its metrics', async () => {
    const port = await freeTestPort();
    const same = { METRICS_PORT: String(port) };
    await fixture.start('main', same).url();
    const workers = [fixture.start('worker', same), fixture.start('worker', same)];
    const printed = await Promise.all(workers.map((worker) => worker.waitForOutput(/Metrics\s+(http:\S+)/)));
    const urls = [`http://127.0.0.1:${port}/metrics`, ...printed.map(([, url]) => url ?? '')];
    expect(new Set(urls).size).toBe(3);
    for (const url of urls) expect((await fetch(url)).status).toBe(200);
  });
});
