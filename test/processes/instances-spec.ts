import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import http from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Agent, fetch as undiciFetch } from 'undici';
import { loadConfiguration } from '../../src/platform/config/configuration.js';
import { DEMO_FILES } from '../../src/tools/demo/demo-content.js';
import { Browser } from '../platform/identity/browser.js';
import { freeTestPort } from '../support/free-test-port.js';
import {
  type Answer,
  LoadClient,
  childrenOf,
  commandOf,
  get,
  instancesOf,
  isRefused,
  isRunning,
  metricsOf,
  processOf,
} from '../support/service/instance-processes.js';
import { SLUG, ServiceFixture } from '../support/service/service-fixture.js';
import { type ServiceProcess } from '../support/service/service-process.js';
import { waitUntil } from '../support/wait-until.js';

const EMAILS = ['registrar@people.example', 'clerk@people.example', 'keeper@people.example'] as const;
const [EMAIL, OTHER_EMAIL, THIRD_EMAIL] = EMAILS;

describe('INSTANCES', () => {
  it.each(['0', '1.5', '-1', '10000', 'four'])('refuses %s', (value) => {
    expect(() => loadConfiguration({ INSTANCES: value })).toThrow(
      /^The configuration cannot be used: INSTANCES must be a whole number from 1 to 64\.$/,
    );
  });

  it('refuses a pool that is too small for the processes', () => {
    expect(() => loadConfiguration({ INSTANCES: '4', DATABASE_POOL_SIZE: '7' })).toThrow(
      /DATABASE_POOL_SIZE must be at least 8 with INSTANCES=4/,
    );
    expect(loadConfiguration({ INSTANCES: '1', DATABASE_POOL_SIZE: '1' }).databasePoolSize).toBe(1);
  });
});

describe('A service with three processes', () => {
  let fixture: ServiceFixture;
  const running: ServiceProcess[] = [];

  const start = (environment: NodeJS.ProcessEnv = {}): ServiceProcess => {
    const service = fixture.start('main', { INSTANCES: '3', LOG_LEVEL: 'info', ...environment });
    running.push(service);
    return service;
  };

  beforeAll(async () => {
    fixture = await ServiceFixture.prepare({ emails: EMAILS });
  });

  const end = async (service: ServiceProcess): Promise<void> => {
    const children = childrenOf(service.pid);
    service.signal('SIGKILL');
    await service.exit;
    await waitUntil(() => children.every((pid) => !isRunning(pid)), 'the end of all processes');
  };

  afterAll(async () => {
    await Promise.all(running.map(end));
    await fixture.cleanUp();
  });

  describe('that runs for several cases', () => {
    let service: ServiceProcess;
    let url: string;

    beforeAll(async () => {
      service = start({ RATE_LIMIT_PER_MINUTE: '1', RATE_LIMIT_BURST: '5' });
      url = await service.url();
    });

    it('shares the rate limits of callers and addresses, and adds up the metrics', async () => {
      const headers = await fixture.authorization(EMAIL);
      const responses: Answer[] = [];
      for (let i = 0; i < 7; i += 1) responses.push(await get(`${url}/api/v1/t/${SLUG}/me`, headers));
      expect(responses.map(({ status }) => status)).toEqual([...Array<number>(5).fill(200), 429, 429]);
      expect(
        responses.map(({ headers: fields }) => fields['ratelimit']?.toString().replace(/;t=\d+/, '')),
      ).toEqual([4, 3, 2, 1, 0, 0, 0].map((left) => `"caller";r=${left}`));
      await waitUntil(() => instancesOf(service, 'GetTenantMe').size === 3, 'requests on all processes');

      const begin = performance.now();
      const rejected: number[] = [];
      for (let i = 0; i < 90; i += 1) rejected.push((await get(`${url}/api/v1/t/${SLUG}/me`)).status);
      const seconds = (performance.now() - begin) / 1000;
      const failed = rejected.filter((status) => status === 401).length;
      expect(failed).toBeGreaterThanOrEqual(60);
      expect(failed).toBeLessThanOrEqual(61 + seconds);

      const count = 'http_request_duration_seconds_count{operation="GetTenantMe",status="200"} 5';
      expect(await metricsOf(service)).toContain(count);
      // The counters of a killed process stay in the sum.
      await replaced(childrenOf(service.pid)[1] as number);
      expect(await metricsOf(service)).toContain(count);
      expect(await metricsOf(service)).toMatch(/^database_pool_connections [1-9]/m);
    });

    it('loses only the requests of a killed process, and replaces it', async () => {
      const headers = await fixture.authorization(EMAIL);
      const clients = Array.from({ length: 12 }, () => new LoadClient(`${url}/readyz`, headers));
      const loads = clients.map((client) => client.run());
      await waitUntil(
        () => clients.every(({ firstId }) => processOf(service, firstId) !== undefined),
        'load',
      );
      const number = await replaced(childrenOf(service.pid).at(-1) as number);
      const answered = clients.map(({ answers }) => answers);
      await waitUntil(() => clients.every(({ answers }, n) => answers > (answered[n] ?? 0) + 10), 'answers');
      expect(childrenOf(service.pid)).toHaveLength(3);
      for (const client of clients) client.stop();
      await Promise.all(loads);
      for (const { failures, firstId } of clients)
        expect(failures).toBe(processOf(service, firstId) === number ? 1 : 0);
      expect(clients.some(({ failures }) => failures > 0)).toBe(true);
    });

    it('passes a connection on that a killed process had not accepted', async () => {
      const stopped = childrenOf(service.pid).at(-1) as number;
      process.kill(stopped, 'SIGSTOP');
      let answered = 0;
      const answers = Array.from({ length: 3 }, () => get(`${url}/readyz`).finally(() => (answered += 1)));
      await waitUntil(() => answered === 2, 'the answers of the other processes');
      await replaced(stopped);
      expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200, 200]);
    });

    it('answers 503 while all processes are gone, and replaces them', async () => {
      const before = service.output.length;
      const gone = childrenOf(service.pid);
      gone.forEach((pid) => process.kill(pid, 'SIGKILL'));
      const ended = () => service.output.slice(before).match(/starting another one/g)?.length;
      // Until then, node:cluster accepts connections for processes that are gone.
      await waitUntil(() => ended() === gone.length, 'the end of all processes');
      const answers: Answer[] = [];
      await waitUntil(async () => {
        const answer = await get(`${url}/readyz`, { 'Accept-Language': 'de' }).catch(() => null);
        if (answer) answers.push(answer);
        return answer?.status === 200;
      }, 'another process');
      const [first] = answers;
      expect(first).toMatchObject({
        status: 503,
        headers: {
          'content-type': 'application/problem+json; charset=utf-8',
          'content-language': 'de',
          'retry-after': '2',
          connection: 'close',
        },
      });
      expect(JSON.parse(first?.text ?? '')).toMatchObject({
        type: '/problems/service.unavailable',
        status: 503,
        instance: `urn:uuid:${String(first?.headers['x-request-id'])}`,
      });
      await waitUntil(
        () => service.output.slice(before).match(/service is replaced/g)?.length === gone.length,
        'all processes',
      );
      expect(childrenOf(service.pid)).toHaveLength(gone.length);
    });

    it('counts rate limits in each process while the primary process does not answer', async () => {
      const headers = await fixture.authorization(OTHER_EMAIL);
      const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
      const send = () => get(`${url}/api/v1/t/${SLUG}/me`, headers, agent);
      expect((await send()).headers['ratelimit']).toMatch(/r=4;/);
      service.signal('SIGSTOP');
      try {
        const answers: Answer[] = [];
        for (let i = 0; i < 6; i += 1) answers.push(await send());
        expect(answers.map(({ status }) => status)).toEqual([...Array<number>(5).fill(200), 429]);
      } finally {
        service.signal('SIGCONT');
      }
      await service.waitForOutput(/this process counts rate limits by itself/);
      await waitUntil(async () => {
        await send();
        return service.output.includes('Rate limits are shared with the other processes again');
      }, 'shared limits');
      agent.destroy();
    });

    it('on SIGTERM: finishes the request in flight, and exits with 0', () =>
      endsWithRequest(service, (pids) => process.kill(pids[0] as number, 'SIGTERM')));

    /** Kills a process of the service, waits for another one in its place, and returns its number. */
    async function replaced(pid: number): Promise<number> {
      process.kill(pid, 'SIGKILL');
      const [, number] = await service.waitForOutput(
        new RegExp(
          `"instance":(\\d),"pid":${pid},"exit":"SIGKILL"[^]*"instance":\\1,[^\n]*service is replaced`,
        ),
      );
      return Number(number);
    }
  });

  it('on SIGINT of the whole process group: finishes the request in flight, and exits with 0', async () => {
    await endsWithRequest(start(), (pids) => pids.forEach((pid) => process.kill(pid, 'SIGINT')));
  });

  async function endsWithRequest(service: ServiceProcess, signal: (pids: number[]) => void): Promise<void> {
    const url = await service.url();
    const before = service.output.length;
    const all = [service.pid, ...childrenOf(service.pid)];
    const body = JSON.stringify({ fileTypeId: 'none', number: '1', name: 'x' });
    const request = http.request(`${url}/api/v1/t/${SLUG}/files`, {
      agent: false,
      method: 'POST',
      headers: {
        ...(await fixture.authorization(THIRD_EMAIL)),
        'Content-Type': 'application/json',
        'Content-Length': body.length,
        Expect: '100-continue',
      },
    });
    request.flushHeaders();
    await once(request, 'continue');
    request.write(body.slice(0, 5));
    const answered = once(request, 'response') as Promise<[http.IncomingMessage]>;
    signal(all);
    await waitUntil(() => isRefused(Number(new URL(url).port)), 'no new connections');
    request.end(body.slice(5));
    const [response] = await answered;
    expect(response.statusCode).toBe(400);
    response.resume();
    expect(await service.exit).toBe(0);
    expect(service.output).toMatch(/Stopped\.\s*$/);
    expect(service.output.slice(before)).not.toContain('starting another one');
    expect(service.errors).toBe('');
    expect(all.filter(isRunning)).toEqual([]);
  }

  it('reports an error of a process at the start once, and exits with 1', async () => {
    const service = start({
      CONTENT_STORE: 's3',
      S3_BUCKET: 'none',
      S3_ENDPOINT: 'http://127.0.0.1:1',
      S3_ACCESS_KEY_ID: 'x',
      S3_SECRET_ACCESS_KEY: 'x',
    });
    expect(await service.exit).toBe(1);
    expect(service.errors.match(/^The bucket none at http:.* cannot be used: ECONNREFUSED/gm)).toHaveLength(
      1,
    );
  });

  describe('with the embedded issuer and database', () => {
    let folder: string;
    let service: ServiceProcess;
    const demo = () =>
      start({
        DATA_DIR: folder,
        DATABASE_URL: undefined,
        DATABASE_DIRECT_URL: undefined,
        OIDC_ISSUER: undefined,
        NODE_ENV: 'test',
      });

    beforeAll(async () => {
      folder = await mkdtemp(path.join(tmpdir(), 'filing-instances-'));
      await chmod(folder, 0o755);
      await writeFile(path.join(folder, 'postgres.port'), `${await freeTestPort()}\n`);
      service = demo();
    });
    afterAll(() => rm(folder, { recursive: true, force: true }));

    it('runs each job once, and logs in over several processes', async () => {
      const url = await service.url();
      const done = /job_duration_seconds_count\{task="ProcessDocument",outcome="done"\} (\d+)/;
      const documents = DEMO_FILES.flatMap((file) => file.documents).filter(({ pdf, text }) => pdf ?? text);
      let metrics = '';
      await waitUntil(async () => {
        metrics = await metricsOf(service);
        const isIdle = /^jobs_waiting\{.*\} 0$/m.test(metrics) && !/^jobs_running\{.*\} [1-9]/m.test(metrics);
        return isIdle && Number(done.exec(metrics)?.[1]) >= documents.length;
      }, 'the end of the jobs');
      expect(Number(done.exec(metrics)?.[1])).toBe(documents.length);

      const agent = new Agent({ pipelining: 0 });
      const browser = new Browser(((input: string, init: object) =>
        undiciFetch(input, { ...init, dispatcher: agent })) as unknown as typeof fetch);
      const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
      const authorize = new URLSearchParams({
        client_id: 'swagger-ui',
        response_type: 'code',
        redirect_uri: `${url}/docs/oauth2-redirect.html`,
        scope: 'openid email profile',
        state: 'st4te',
        code_challenge: challenge,
        code_challenge_method: 'S256',
      });
      const page = await browser.open(`${url}/oidc/auth?${authorize.toString()}`);
      const { location } = await browser.submit(page.url, { person: 'demo-editor' });
      const code = new URL(location ?? '').searchParams.get('code') ?? '';
      const exchange = await browser.request(`${url}/oidc/token`, {
        method: 'POST',
        body: new URLSearchParams({
          grant_type: 'authorization_code',
          client_id: 'swagger-ui',
          code,
          redirect_uri: `${url}/docs/oauth2-redirect.html`,
          code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
        }),
      });
      const { access_token: token } = JSON.parse(exchange.text) as { access_token: string };
      const me = await get(`${url}/api/v1/t/demo/me`, { Authorization: `Bearer ${token}` });
      expect(me.status).toBe(200);
      await waitUntil(() => instancesOf(service, 'none').size > 1, 'steps of the login on several processes');
      await agent.close();
    });

    it('leaves no process behind when the primary process is killed, and starts again', async () => {
      const children = childrenOf(service.pid);
      service.signal('SIGKILL');
      await service.exit;
      const workers = children.filter((pid) => commandOf(pid).includes('instance.js'));
      await waitUntil(() => workers.every((pid) => !isRunning(pid)), 'the end of the processes');
      service = demo();
      expect((await get(`${await service.url()}/readyz`)).status).toBe(200);
      expect(service.output).toContain('stopping the database server that was still running');
      service.signal('SIGTERM');
      expect(await service.exit).toBe(0);
    });
  });
});
