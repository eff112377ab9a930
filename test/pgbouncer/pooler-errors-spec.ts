import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { type Actor } from '../support/actor.js';
import { expectProblem } from '../support/expect-problem.js';
import { waitForBlockedStatements } from '../support/locks.js';
import { lookupPassword } from '../support/pooler.js';
import { PgBouncer } from '../support/servers/pgbouncer.js';
import { SecondInstance } from '../support/service/second-instance.js';
import { TestService } from '../support/service/service.js';
import { waitUntil } from '../support/wait-until.js';

describe('Errors of PgBouncer', () => {
  let service: TestService;
  let pooler: PgBouncer;
  let instance: SecondInstance;
  let editor: Actor;
  let database: string;

  beforeAll(async () => {
    service = await TestService.start();
    database = new URL(service.database.ownerUrl).pathname.slice(1);
    pooler = await PgBouncer.start(service.database.ownerUrl, {
      password: lookupPassword(),
      settings: { query_wait_timeout: '2' },
    });
    instance = await SecondInstance.start(service, {
      serviceUrl: pooler.through(service.database.serviceUrl),
    });
    const tenant = await service.tenant();
    editor = instance.actor(await tenant.as('records_manager'));
  });

  afterAll(async () => {
    await instance.stop();
    await pooler.stop();
    await service.stop();
  });

  /** The service recovers without a restart. */
  afterEach(async () => {
    await waitUntil(async () => (await editor.get('/tags')).status === 200, 'the answer 200');
  });

  async function expectUnavailable(): Promise<void> {
    const answers = await Promise.all([
      editor.get('/tags'),
      editor.post('/tags', { name: 'Tag' }),
      editor.get('/files'),
    ]);
    for (const answer of answers) {
      expectProblem(answer, 'service.unavailable');
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    }
  }

  /** Closes all connections of the database. PgBouncer 1.18 can crash if a client logs in meanwhile. */
  async function closeConnections(): Promise<void> {
    await waitUntil(async () => {
      const lists = await pooler.command<{ list: string; items: string }>('SHOW LISTS');
      const pools = await pooler.command<{ cl_waiting: string }>('SHOW POOLS');
      const logins = lists.find(({ list }) => list === 'login_clients');
      return Number(logins?.items) === 0 && pools.every((pool) => Number(pool.cl_waiting) === 0);
    }, 'all logins');
    await pooler.command(`KILL ${database}`);
  }

  it('returns 503 while no connection of the server is available (query_wait_timeout)', async () => {
    await editor.get('/tags');
    await pooler.command(`PAUSE ${database}`);
    try {
      await expectUnavailable();
      expect((await fetch(`${instance.url}/readyz`)).status).toBe(503);
    } finally {
      await pooler.command(`RESUME ${database}`);
    }
  });

  it('waits while the pooler is paused for a shorter time, then answers', async () => {
    await pooler.command(`PAUSE ${database}`);
    const answers = [editor.get('/tags'), editor.get('/files')].map(async (answer) => (await answer).status);
    try {
      await waitUntil(
        async () =>
          (await pooler.command<{ database: string; cl_waiting: string }>('SHOW POOLS')).some(
            (pool) => pool.database === database && Number(pool.cl_waiting) > 0,
          ),
        'a waiting client of the pooler',
      );
    } finally {
      await pooler.command(`RESUME ${database}`);
    }
    // On a slow machine, the wait may exceed query_wait_timeout.
    for (const status of await Promise.all(answers)) expect([200, 503]).toContain(status);
  });

  it('returns 503 after the pooler has closed all connections (KILL), until RESUME', async () => {
    await editor.get('/tags');
    await closeConnections();
    try {
      await expectUnavailable();
    } finally {
      await pooler.command(`RESUME ${database}`);
    }
  });

  it('returns 503 when the pooler accepts no more clients (max_client_conn)', async () => {
    // An administrator's console is always accepted. The limit comes first, so that the service cannot connect again after KILL.
    await pooler.command('SET max_client_conn = 0');
    try {
      await closeConnections();
      await pooler.command(`RESUME ${database}`);
      await expectUnavailable();
    } finally {
      await pooler.command('SET max_client_conn = 1000');
    }
  });

  it('returns 503 when the connection of the server ends during a request, and repeats nothing', async () => {
    const owner = new pg.Client({ connectionString: service.database.ownerUrl });
    await owner.connect();
    try {
      await owner.query('BEGIN');
      await owner.query('LOCK TABLE tags IN ACCESS EXCLUSIVE MODE');
      const answer = editor.post('/tags', { name: 'Interrupted' }).then((response) => response);
      await waitForBlockedStatements(service, 1);
      await service.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = current_database() AND application_name = 'filing-service' AND wait_event_type = 'Lock'`,
      );
      expectProblem(await answer, 'service.unavailable');
    } finally {
      await owner.query('ROLLBACK');
      await owner.end();
    }
    const { rows } = await service.owner.query(`SELECT FROM tags WHERE name = 'Interrupted'`);
    expect(rows).toEqual([]);
  });
});
