import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { DataSource } from 'typeorm';
import { createApplication, openDatabase } from '../../../src/application.js';
import { loadConfiguration } from '../../../src/platform/config/configuration.js';
import { lockTimeoutMs } from '../../../src/platform/database/connections/session-limits.js';
import { holdLock } from '../../../src/platform/database/held-lock.js';
import { EventHub } from '../../../src/platform/events/event-hub.js';
import { expectProblem } from '../../support/expect-problem.js';
import { WAIT_TIMEOUT_MS, waitUntil } from '../../support/wait-until.js';
import { TestService } from '../../support/service/service.js';
import { TcpProxy } from '../../support/servers/tcp-proxy.js';

/** All kinds of database connections of an instance, by their application_name. */
const KINDS = [
  'filing-service',
  'filing-service events',
  'filing-service lock',
  'filing-service queue',
  'filing-service task',
  'filing-service worker',
];

interface Limits {
  readonly statement: number;
  readonly lock: number;
  readonly idle: number;
}

/**
 * PostgreSQL does not show the settings of another session. So a proxy records the start-up messages of the service's
 * connections, and the test opens a connection with the same options and reads its settings.
 */
describe('Every database connection of the service', () => {
  let service: TestService;
  let proxy: TcpProxy;
  let dataSource: DataSource;
  let app: NestExpressApplication;

  beforeAll(async () => {
    // Provides database and issuer. The instance under test connects through the proxy.
    service = await TestService.start({ DATABASE_POOL_SIZE: '1' });
    const through = await TcpProxy.start(service.database.serviceUrl);
    proxy = through.proxy;
    const configuration = loadConfiguration({
      NODE_ENV: 'test',
      DATA_DIR: service.dataDirectory,
      OIDC_ISSUER: service.issuer.url,
      LOG_LEVEL: 'fatal',
      DATABASE_STATEMENT_TIMEOUT_MS: '20000',
      WORKER_CONCURRENCY: '2',
    });
    dataSource = await openDatabase(configuration, through.url);
    app = await createApplication(configuration, dataSource);
    // As the first stream does. Before it, there is no connection for events.
    app.get(EventHub).onAdvance(() => undefined);
    // As a conversion does.
    const release = await holdLock(dataSource, 'test', () => false);
    await release?.();
  });
  afterAll(async () => {
    await app.close();
    await dataSource.destroy();
    await proxy.stop();
    await service.stop();
  });

  async function limitsOf(options: string | undefined): Promise<Limits> {
    const client = new pg.Client({ connectionString: service.database.serviceUrl, options });
    await client.connect();
    try {
      const { rows } = await client.query<Limits>(
        `SELECT max(setting::int) FILTER (WHERE name = 'statement_timeout') AS statement,
                max(setting::int) FILTER (WHERE name = 'lock_timeout') AS lock,
                max(setting::int) FILTER (WHERE name = 'idle_in_transaction_session_timeout') AS idle
           FROM pg_settings`,
      );
      return rows[0]!;
    } finally {
      await client.end();
    }
  }

  it('has timeouts for statements, for locks and for idle transactions', async () => {
    const names = () => new Set(proxy.startups.map((startup) => startup.application_name ?? ''));
    await waitUntil(() => KINDS.every((kind) => names().has(kind)));
    expect([...names()].sort()).toEqual(KINDS);

    const expected: Record<string, Limits> = {
      'filing-service': { statement: 20_000, lock: 3000, idle: 60_000 },
      'filing-service events': { statement: 30_000, lock: 10_000, idle: 60_000 },
      'filing-service lock': { statement: 30_000, lock: 10_000, idle: 120_000 },
      'filing-service queue': { statement: 30_000, lock: 10_000, idle: 60_000 },
      // These two only hold a lock, in a transaction without the idle timeout, for as long as the
      // task or the worker runs.
      'filing-service task': { statement: 30_000, lock: 10_000, idle: 60_000 },
      'filing-service worker': { statement: 30_000, lock: 10_000, idle: 60_000 },
    };
    for (const { application_name: name = '', options } of proxy.startups) {
      expect({ name, ...(await limitsOf(options)) }).toEqual({ name, ...expected[name] });
    }
  });

  it.each([
    ['as long as a statement at most', 1000, 1000],
    ['three seconds', 30_000, 3000],
    ['longer when statements may take longer', 300_000, 30_000],
  ])('waits for a lock for %s', (_, statement, lock) => {
    expect(lockTimeoutMs(statement)).toBe(lock);
  });

  it('returns 503 for a request that waits longer for a lock', async () => {
    const admin = await (await service.tenant()).as('administrator');
    // Applies to the only connection of the pool.
    const limit = (milliseconds: number) =>
      service.app.get(DataSource).query(`SET lock_timeout = ${milliseconds}`);
    await admin.get('/tags').expect(200);
    const blocker = await service.owner.connect();
    try {
      await blocker.query('BEGIN; LOCK TABLE tags IN ACCESS EXCLUSIVE MODE');
      await limit(100);
      const refused = await admin.get('/tags');
      expectProblem(refused, 'service.unavailable');
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    } finally {
      blocker.release(true);
    }
    await limit(WAIT_TIMEOUT_MS);
    await admin.get('/tags').expect(200);
  });
});
