import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type DataSource } from 'typeorm';
import { serviceDataSource } from '../../src/database/data-source.js';
import { databaseProblem } from '../../src/database/database-problems.js';
import { UnitOfWork } from '../../src/database/unit-of-work.js';
import { Recording } from '../../src/recording/recording.js';
import { serviceContext } from '../../src/tenancy/access.directory.js';
import { somebodyWaits } from '../support/locks.js';
import { TestService } from '../support/service.js';
import { TcpProxy } from '../support/tcp-proxy.js';
import { type TestTenant } from '../support/tenant.js';

/** Of statements that take a moment, on a machine that has much else to do. */
const STATEMENT_TIMEOUT_MS = 5000;
const NAME = 'connection-loss';

describe('When a connection to the database is lost', () => {
  let service: TestService;
  let tenant: TestTenant;
  let proxy: TcpProxy;
  let dataSource: DataSource;
  let uow: UnitOfWork;

  beforeAll(async () => {
    service = await TestService.start();
    tenant = await service.tenant();
    const through = await TcpProxy.start(service.database.serviceUrl);
    proxy = through.proxy;
    dataSource = await serviceDataSource({
      url: `${through.url}?application_name=${NAME}`,
      poolSize: 1,
      acquireTimeoutMs: 5000,
      statementTimeoutMs: STATEMENT_TIMEOUT_MS,
      entities: [],
    }).initialize();
    uow = new UnitOfWork(dataSource, new Recording());
  });

  afterAll(async () => {
    await dataSource.destroy();
    await proxy.stop();
    await service.stop();
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

  it('503 for a write whose connection ends, between statements as well as during one; others go on', async () => {
    const between = uow.write(serviceContext(tenant.id), async (tx) => {
      await terminate();
      // Long enough for its end to arrive while nobody waits for an answer.
      await new Promise((resolve) => setTimeout(resolve, 200));
      return tx.query('SELECT 1');
    });
    expect(await problemOf(between)).toBe('service.unavailable');
    expect(await read()).toEqual([{ one: 1 }]);

    const blocker = await service.owner.connect();
    try {
      await blocker.query('BEGIN; LOCK TABLE tags IN ACCESS EXCLUSIVE MODE');
      const during = uow.write(serviceContext(tenant.id), (tx) => tx.query('SELECT id FROM tags'));
      expect(await somebodyWaits(service)).toBe(true);
      await terminate();
      expect(await problemOf(during)).toBe('service.unavailable');
    } finally {
      blocker.release(true);
    }
    expect(await read()).toEqual([{ one: 1 }]);
  });

  it('leaves a transaction alone that waits for something else than the database', async () => {
    const work = uow.write(serviceContext(tenant.id), async (tx) => {
      await tx.query('SELECT 1');
      // As long as a connection with a statement under way may be silent, and longer.
      await new Promise((resolve) => setTimeout(resolve, STATEMENT_TIMEOUT_MS + 6000));
      return tx.query('SELECT 1 AS one');
    });
    expect(await work).toEqual([{ one: 1 }]);
  });

  it('503, once the limit of a statement is over, when the database falls silent; others go on', async () => {
    await read();
    proxy.fallSilent();
    try {
      expect(await problemOf(read())).toBe('service.unavailable');
      // A new connection that nobody answers.
      expect(await problemOf(read())).toBe('service.unavailable');
    } finally {
      proxy.speakAgain();
    }
    expect(await read()).toEqual([{ one: 1 }]);
  });
});
