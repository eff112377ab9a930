import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTenant } from '../../support/create-tenant.js';
import { freeTestPort } from '../../support/free-test-port.js';
import { ServiceProcess } from '../../support/service/service-process.js';
import { tryStart } from '../../support/service/try-start.js';
import { LONG_DATABASE_TIMEOUTS, waitUntil } from '../../support/wait-until.js';
import { type Replica, ReplicatedDatabase } from './replicated-database.js';

const SLUG = 'registry';
const EMAIL = 'registrar@people.example';

describe('The start of a service with DATABASE_REPLICA_URLS', () => {
  let database: ReplicatedDatabase;
  let replica: Replica;
  let directory: string;

  beforeAll(async () => {
    database = await ReplicatedDatabase.start();
    replica = await database.replica();
    directory = await mkdtemp(path.join(tmpdir(), 'filing-replicas-'));
  });
  afterAll(async () => {
    await database.stop();
    await rm(directory, { recursive: true, force: true });
  });

  const environment = (...urls: string[]) => ({
    ...database.database.environment,
    ...LONG_DATABASE_TIMEOUTS,
    DATABASE_REPLICA_URLS: urls.join(','),
    OIDC_ISSUER: database.issuer.url,
    DATA_DIR: directory,
    PORT: '0',
    METRICS_PORT: '0',
    SHUTDOWN_TIMEOUT_MS: '300000',
  });

  /** Starts a service. `outcome` is `serves`, or the reason why it did not start. */
  async function start(...urls: string[]): Promise<{ outcome: string; warnings: string[] }> {
    const { outcome, printed } = await tryStart(environment(...urls));
    return {
      outcome,
      warnings: printed.filter((line) => line.includes('Warning')).map((line) => line.trim()),
    };
  }

  it('accepts replicas of the primary without a warning', async () => {
    expect(await start(replica.url)).toEqual({ outcome: 'serves', warnings: [] });
  });

  it('refuses a server that is not a replica of the primary', async () => {
    const other = await ReplicatedDatabase.start();
    try {
      const { port } = other.primary.server;
      const { outcome } = await start(replica.url, `postgres://127.0.0.1:${port}`);
      expect(outcome).toBe(
        `The server 127.0.0.1:${port} in DATABASE_REPLICA_URLS is not a replica of the server of DATABASE_URL.`,
      );
    } finally {
      await other.stop();
    }
  });

  it('refuses a replica that does not accept the service role', async () => {
    const { outcome } = await start(`${replica.url}/missing`);
    expect(outcome).toMatch(
      /^The service role cannot log in to the replica 127\.0\.0\.1:\d+: database "missing" does not exist\. /,
    );
  });

  it('warns about a replica that does not answer, and about a primary server', async () => {
    const port = await freeTestPort();
    const { outcome, warnings } = await start(
      `postgres://127.0.0.1:${port}`,
      `postgres://127.0.0.1:${database.primary.server.port}`,
    );
    expect(outcome).toBe('serves');
    expect(warnings.sort()).toEqual([
      expect.stringMatching(
        `^Warning: the replica 127.0.0.1:${port} is not available \\(.*ECONNREFUSED.*\\)\\.$`,
      ),
      `Warning: the server 127.0.0.1:${database.primary.server.port} in DATABASE_REPLICA_URLS is a primary server, and is not used.`,
    ]);
  });

  it('divides the connections among the processes, and adds up the metrics', async () => {
    await createTenant(database.database.ownerUrl, {
      slug: SLUG,
      name: 'Registry',
      expectedMembers: [{ email: EMAIL, roleKey: 'administrator' }],
    });
    await replica.catchUp();
    const token = await database.issuer.token({ sub: 'registrar', email: EMAIL, email_verified: true });
    const service = new ServiceProcess({
      ...environment(replica.url),
      ...{
        INSTANCES: '2',
        DATABASE_POOL_SIZE: '6',
        RATE_LIMIT_PER_MINUTE: '1000000',
        RATE_LIMIT_BURST: '1000000',
      },
    });
    try {
      const url = await service.url();
      const [, metricsUrl = ''] = await service.waitForOutput(/Metrics\s+(http:\S+)/);
      const metrics = async () => (await fetch(metricsUrl)).text();
      const name = `{replica="127.0.0.1:${replica.server.port}"}`;
      const reads = async () =>
        Number((await metrics()).split(`database_replica_reads_total${name} `)[1]?.split('\n')[0] ?? 0);
      const list = () =>
        fetch(`${url}/api/v1/t/${SLUG}/files`, { headers: { Authorization: `Bearer ${token}` } });
      expect((await list()).status).toBe(200);
      await waitUntil(
        async () => (await metrics()).includes(`database_replica_ready${name} 1\n`),
        'both processes',
      );
      let [ended, most] = [false, 0];
      const load = Promise.all(Array.from({ length: 100 }, list)).finally(() => (ended = true));
      await waitUntil(async () => {
        const rows = await replica.server.queryAsSuperuser(
          `SELECT FROM pg_stat_activity WHERE usename = 'filing_service'`,
        );
        most = Math.max(most, rows.length);
        return ended;
      }, 'the end of the load');
      expect(new Set((await load).map(({ status }) => status))).toEqual(new Set([200]));
      expect(most).toBeGreaterThan(2);
      expect(most).toBeLessThanOrEqual(6);
      expect(await reads()).toBeGreaterThan(0);
      expect(await metrics()).toMatch(`database_replica_lag_bytes${name} `);
    } finally {
      service.signal('SIGTERM');
      expect(await service.exit).toBe(0);
    }
  });
});
