import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { withSetupLock } from '../../src/platform/database/service-role/service-role.js';
import { SLUG, ServiceFixture } from '../support/service/service-fixture.js';
import { tryStart } from '../support/service/try-start.js';
import { waitUntil } from '../support/wait-until.js';

const EMAIL = 'registrar@people.example';

describe('The process', () => {
  let fixture: ServiceFixture;
  beforeAll(async () => {
    fixture = await ServiceFixture.prepare({ emails: [EMAIL] });
  });
  afterEach(() => fixture.killAll());
  afterAll(() => fixture.cleanUp());

  describe('refuses to start', () => {
    /** Expects the process to exit with 1 and to print only this line. */
    const exits = async (environment: NodeJS.ProcessEnv, line: RegExp): Promise<void> => {
      const service = fixture.start('main', environment);
      expect(await service.exit).toBe(1);
      expect(service.errors.trim()).toMatch(line);
      expect(service.errors.trim().split('\n')).toHaveLength(1);
    };

    /** Runs the service in this process. Expects only this line as message, and that the service can be stopped. */
    const refuses = async (
      environment: NodeJS.ProcessEnv,
      line: RegExp,
      role?: 'service' | 'worker',
    ): Promise<void> => {
      const { outcome, printed } = await tryStart({ ...fixture.settings, ...environment }, role);
      expect(outcome).toMatch(line);
      expect(outcome.split('\n')).toHaveLength(1);
      expect(printed.join('\n')).not.toMatch(/API|hunter2/);
      expect(outcome).not.toContain('hunter2');
    };

    it('with an invalid configuration, and lists all invalid variables', () =>
      exits(
        { PORT: 'eighty', LOG_LEVEL: 'loud', RATE_LIMIT_BURST: '0' },
        /^The configuration cannot be used: PORT must .*; RATE_LIMIT_BURST must .*; LOG_LEVEL must .*\.$/,
      ));

    it('in production without an issuer', () =>
      refuses(
        { NODE_ENV: 'production', OIDC_ISSUER: undefined },
        /^The configuration cannot be used: OIDC_ISSUER must be set/,
      ));

    it('when the database is unreachable', () =>
      refuses(
        { DATABASE_URL: 'postgres://somebody:hunter2@127.0.0.1:1/nowhere' },
        /^The database cannot be reached: /,
      ));

    it('when the connection to the database is lost', async () => {
      await withSetupLock(fixture.ownerUrl, async (owner) => {
        const exiting = exits({}, /^The database cannot be reached: /);
        // The start waits for the schema migration of another process.
        await waitUntil(async () => {
          const { rowCount } = await owner.query(
            `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
              WHERE datname = current_database() AND pid <> pg_backend_pid() AND wait_event = 'advisory'`,
          );
          return rowCount === 1;
        });
        await exiting;
      });
    });

    it('when a role has missing or additional privileges', async () => {
      // All databases of a server have the same roles.
      const name = `powerless_${randomBytes(4).toString('hex')}`;
      await fixture.owner.query(`CREATE ROLE ${name} LOGIN PASSWORD 'x'`);
      try {
        const powerless = new URL(fixture.ownerUrl);
        powerless.username = name;
        powerless.password = 'x';
        await refuses(
          { DATABASE_URL: powerless.toString() },
          /^The schema migration failed: .*permission denied/,
        );
        await refuses(
          { DATABASE_SERVICE_URL: powerless.toString() },
          /^The role of DATABASE_SERVICE_URL must be a member of/,
        );
        await refuses(
          { DATABASE_SERVICE_URL: fixture.ownerUrl },
          /^The role \S+ must not serve requests: it is a superuser\. Set DATABASE_SERVICE_URL/,
        );
      } finally {
        await fixture.owner.query(`DROP ROLE ${name}`);
      }
    });

    it('as a worker with WORKER_CONCURRENCY=0, or without DATABASE_URL', async () => {
      await refuses(
        { WORKER_CONCURRENCY: '0' },
        /^A worker with WORKER_CONCURRENCY=0 would run no jobs\.$/,
        'worker',
      );
      await refuses({ DATABASE_URL: '' }, /^A worker requires DATABASE_URL/, 'worker');
    });
  });

  describe('stops', () => {
    const BODY = JSON.stringify({ fileTypeId: 'none', number: '1', name: 'x' });

    /** Sends a request with half of its body. It is in flight until the test sends the rest. */
    const beginRequest = async (url: string, agent?: http.Agent) => {
      const request = http.request(`${url}/api/v1/t/${SLUG}/files`, {
        agent,
        method: 'POST',
        headers: {
          ...(await fixture.authorization(EMAIL)),
          'Content-Type': 'application/json',
          'Content-Length': BODY.length,
          Expect: '100-continue',
        },
      });
      request.flushHeaders();
      // The server has received the request and waits for the body.
      await once(request, 'continue');
      request.write(BODY.slice(0, 5));
      return request;
    };

    it.each([
      ['SIGTERM', {}],
      ['SIGINT', {}],
      ['SIGINT', { npm_lifecycle_event: 'start' }],
    ] as const)(
      'on %s with %j: finishes the request in flight, accepts no new one, and exits with 0',
      async (signal, environment) => {
        const service = fixture.start('main', environment);
        const url = await service.url();
        const agent = new http.Agent({ keepAlive: true });
        const request = await beginRequest(url, agent);
        const answered = once(request, 'response') as Promise<[http.IncomingMessage]>;
        service.signal(signal);
        await service.waitForOutput(/finishing the requests in flight/);
        // npm sends the signal of Ctrl-C again.
        if ('npm_lifecycle_event' in environment) service.signal(signal);
        await waitUntil(async () =>
          fetch(`${url}/livez`).then(
            () => false,
            (error: Error) => error.message === 'fetch failed',
          ),
        );
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

    it('aborts requests that do not finish in time, and exits with 1', async () => {
      const service = fixture.start('main', { SHUTDOWN_TIMEOUT_MS: '300' });
      const request = await beginRequest(await service.url());
      const broken = once(request, 'error');
      service.signal('SIGTERM');
      await broken;
      expect(await service.exit).toBe(1);
    });

    it('during the start, after a warning about removed variables', async () => {
      const service = fixture.start('main', { EXTRACTION_MEMORY_MB: '1024' });
      await service.waitForOutput(
        /Warning: these variables no longer have an effect: EXTRACTION_MEMORY_MB\./,
      );
      await service.waitForOutput(/Migrating the schema/);
      service.signal('SIGTERM');
      expect([0, 1]).toContain(await service.exit);
      expect(service.output).toMatch(/Stopped\.\s*$/);
    });
  });

  describe('as a worker', () => {
    it('runs jobs of other instances, listens only for metrics, and exits with 0', async () => {
      const { owner } = fixture;
      const waiting = async () => (await owner.query('SELECT FROM graphile_worker._private_jobs')).rowCount;
      // An unknown document: the job has nothing to do and succeeds.
      await owner.query(
        `SELECT graphile_worker.add_job('ProcessDocument', json_build_object(
           'tenantId', gen_random_uuid(), 'documentId', gen_random_uuid(), 'version', 1))`,
      );
      expect(await waiting()).toBe(1);
      const worker = fixture.start('worker');
      const [, metrics = ''] = await worker.waitForOutput(/Metrics\s+(http:\S+)/);
      await waitUntil(async () => (await waiting()) === 0, 'The end of the job');
      const text = await (await fetch(metrics)).text();
      expect(text).toContain('job_duration_seconds_count{task="ProcessDocument",outcome="done"} 1');
      expect(text).toContain('jobs_waiting{task="ProcessDocument"} 0');
      expect(worker.output).not.toContain('API');
      worker.signal('SIGTERM');
      expect(await worker.exit).toBe(0);
      expect(worker.output).toMatch(/finishing the running jobs …\s+Stopped\.\s*$/);
      expect(worker.errors).toBe('');
    });
  });
});
