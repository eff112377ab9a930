import { once } from 'node:events';
import { type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type pg from 'pg';
import { type DataSource } from 'typeorm';
import { openDatabase } from '../../../../src/application.js';
import { databaseProblem } from '../../../../src/platform/database/database-problems.js';
import { UnitOfWork } from '../../../../src/platform/database/transactions/unit-of-work.js';
import { Recording } from '../../../../src/platform/recording/recording.js';
import { serviceContext } from '../../../../src/platform/tenancy/access/access.directory.js';
import { waitForBlockedStatements } from '../../../support/locks.js';
import { WAIT_TIMEOUT_MS, waitUntil } from '../../../support/wait-until.js';
import { service } from '../../../support/service/shared-service.js';
import { TcpProxy } from '../../../support/servers/tcp-proxy.js';
import { type TestTenant } from '../../../support/tenant.js';

const NAME = 'connection-loss';

describe('UnitOfWork, when a connection to the database is lost', () => {
  let tenant: TestTenant;
  let proxy: TcpProxy;
  let dataSource: DataSource;
  let uow: UnitOfWork;
  let pool: pg.Pool;
  /** Socket of the only connection of the pool. */
  let stream: Socket;

  beforeAll(async () => {
    tenant = await service.tenant();
    const through = await TcpProxy.start(service.database.serviceUrl);
    proxy = through.proxy;
    dataSource = await openDatabase(
      { ...service.configuration, databaseDirectUrl: undefined, databasePoolSize: 1 },
      `${through.url}?application_name=${NAME}`,
    );
    ({ master: pool } = dataSource.driver as unknown as { master: pg.Pool });
    pool.on('acquire', (client) => {
      ({ stream } = (client as unknown as { connection: { stream: Socket } }).connection);
    });
    uow = await UnitOfWork.open(dataSource, new Recording());
  });

  afterAll(async () => {
    await dataSource.destroy();
    await proxy.stop();
  });

  const read = () => uow.read(serviceContext(tenant.id), (tx) => tx.query('SELECT 1 AS one'));
  const terminate = () =>
    service.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1', [
      NAME,
    ]);
  const problemOf = (work: Promise<unknown>) =>
    work.then(
      () => 'nothing went wrong',
      (error: unknown) => databaseProblem(error)?.code ?? error,
    );

  it('returns 503 for a write whose connection ends, between or during statements; later requests succeed', async () => {
    const between = uow.write(serviceContext(tenant.id), async (tx) => {
      // The connection ends while no statement is pending.
      const ended = once(stream, 'close');
      await terminate();
      await ended;
      return tx.query('SELECT 1');
    });
    expect(await problemOf(between)).toBe('service.unavailable');
    expect(await read()).toEqual([{ one: 1 }]);

    const blocker = await service.owner.connect();
    try {
      await blocker.query('BEGIN; LOCK TABLE tags IN ACCESS EXCLUSIVE MODE');
      const during = problemOf(uow.write(serviceContext(tenant.id), (tx) => tx.query('SELECT id FROM tags')));
      expect(await waitForBlockedStatements(service)).toBe(true);
      await terminate();
      expect(await during).toBe('service.unavailable');
    } finally {
      blocker.release(true);
    }
    expect(await read()).toEqual([{ one: 1 }]);
  });

  /** Triggers the timeout of the socket now instead of later. */
  const triggerTimeout = async () => {
    const limit = stream.timeout ?? 0;
    // Longer than the server's statement timeout, so that the server reports its timeout first.
    expect(limit).toBeGreaterThan(WAIT_TIMEOUT_MS);
    const timedOut = once(stream, 'timeout');
    stream.setTimeout(1);
    await timedOut;
    stream.setTimeout(limit);
  };

  it('keeps the connection of a transaction that waits for something other than the database', async () => {
    const work = uow.write(serviceContext(tenant.id), async (tx) => {
      await tx.query('SELECT 1');
      const used = stream;
      await triggerTimeout();
      expect(await tx.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
      expect(stream).toBe(used);
      return 'done';
    });
    expect(await work).toBe('done');
  });

  it('returns 503 after the timeout when the database does not answer; later requests succeed', async () => {
    await read();
    proxy.stopForwarding();
    const { connectionTimeoutMillis } = pool.options;
    try {
      const { received } = proxy;
      const problem = problemOf(read());
      await waitUntil(() => proxy.received > received);
      await triggerTimeout();
      expect(await problem).toBe('service.unavailable');
      // A new connection gets no answer either.
      pool.options.connectionTimeoutMillis = 100;
      expect(await problemOf(read())).toBe('service.unavailable');
    } finally {
      pool.options.connectionTimeoutMillis = connectionTimeoutMillis;
      proxy.resumeForwarding();
    }
    expect(await read()).toEqual([{ one: 1 }]);
  });
});
