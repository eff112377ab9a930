import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Log } from '../../src/platform/logging/log.js';
import { type Actor } from '../support/actor.js';
import { nodeUrls } from '../support/database.js';
import { runAsAdmin } from '../support/database-nodes.js';
import { expectProblem } from '../support/expect-problem.js';
import { SecondInstance } from '../support/service/second-instance.js';
import { TestService } from '../support/service/service.js';
import { waitUntil } from '../support/wait-until.js';

/** A login role of this spec, because the other service role belongs to all workers. */
const ROLE = 'states_of_database';

interface State {
  readonly cause: string;
  readonly begin: string;
  /** A second statement, when the present connections have ended. */
  readonly then?: string;
  readonly end: string;
  /** Whether only changes are refused. */
  readonly reads?: boolean;
  /** Detail of `/readyz`. */
  readonly unready: string;
}

const NOT_REACHABLE = 'The database is not reachable.';

const STATES: readonly State[] = [
  {
    cause: 'only reads (25006)',
    begin: `ALTER DATABASE $db SET default_transaction_read_only = on`,
    end: `ALTER DATABASE $db RESET default_transaction_read_only`,
    reads: true,
    unready: 'The database accepts no changes at present.',
  },
  {
    cause: 'takes no more connections (53300)',
    begin: `ALTER DATABASE $db CONNECTION LIMIT 0`,
    end: `ALTER DATABASE $db CONNECTION LIMIT -1`,
    unready: NOT_REACHABLE,
  },
  {
    cause: 'takes no connections (55000)',
    begin: `ALTER DATABASE $db ALLOW_CONNECTIONS false`,
    end: `ALTER DATABASE $db ALLOW_CONNECTIONS true`,
    unready: NOT_REACHABLE,
  },
  {
    cause: 'does not exist (3D000)',
    begin: `ALTER DATABASE $db ALLOW_CONNECTIONS false`,
    then: `ALTER DATABASE $db RENAME TO $db_lost`,
    end: `ALTER DATABASE $db_lost RENAME TO $db; ALTER DATABASE $db ALLOW_CONNECTIONS true`,
    unready: NOT_REACHABLE,
  },
  {
    cause: 'refuses the login (28000)',
    begin: `ALTER ROLE ${ROLE} NOLOGIN`,
    end: `ALTER ROLE ${ROLE} LOGIN`,
    unready: NOT_REACHABLE,
  },
  {
    cause: 'refuses the role (42501)',
    begin: `REVOKE CONNECT ON DATABASE $db FROM PUBLIC`,
    end: `GRANT CONNECT ON DATABASE $db TO PUBLIC`,
    unready: NOT_REACHABLE,
  },
];

describe('A service whose database', () => {
  let service: TestService;
  let instance: SecondInstance;
  let actor: Actor;
  const [node = ''] = nodeUrls();
  const warnings: string[] = [];

  const databaseName = () => new URL(service.database.serviceUrl).pathname.slice(1);
  const admin = (statement: string) => runAsAdmin(node, statement.replaceAll('$db', databaseName()));
  const disconnect = () =>
    admin(`SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname LIKE '$db%'`);
  const create = () => actor.post('/tags', { name: randomUUID() });
  const readiness = async () => {
    const response = await fetch(`${instance.url}/readyz`);
    const { detail } = (await response.json()) as { detail?: string };
    return { status: response.status, detail };
  };

  async function readWithClaims(claims: object): Promise<Response> {
    const { subject: sub, email, name } = actor;
    const token = await service.issuer.token({ sub, email, email_verified: true, name, ...claims });
    return fetch(`${instance.url}/api/v1/t/${actor.tenant.slug}/tags`, {
      headers: { authorization: `Bearer ${token}` },
    });
  }

  beforeAll(async () => {
    service = await TestService.start();
    await admin(`CREATE ROLE ${ROLE} LOGIN PASSWORD 'states' IN ROLE filing_service_role`);
    const serviceUrl = new URL(service.database.serviceUrl);
    [serviceUrl.username, serviceUrl.password] = [ROLE, 'states'];
    const log = new Log(
      { logLevel: 'warn', logFormat: 'json' },
      { write: (line) => void warnings.push(line) },
    );
    instance = await SecondInstance.start(service, { serviceUrl: serviceUrl.toString(), log });
    const tenant = await service.tenant();
    actor = instance.actor(await tenant.as('administrator'));
    expect((await create()).status).toBe(201);
  });
  afterAll(async () => {
    await instance.stop();
    await service.stop();
    await runAsAdmin(node, `DROP ROLE ${ROLE}`);
  });

  it.each(STATES)('$cause answers 503, and works again afterwards without a restart', async (state) => {
    const { begin, then, end, reads = false, unready } = state;
    await admin(begin);
    await disconnect();
    if (then !== undefined) await admin(then);
    try {
      const refused = await create();
      expectProblem(refused, 'service.unavailable');
      expect(refused.headers['retry-after']).toBe('2');
      const read = await actor.get('/tags');
      if (reads) expect(read.status).toBe(200);
      else expectProblem(read, 'service.unavailable');
      expect(await readiness()).toMatchObject({ status: 503, detail: unready });
    } finally {
      await admin(end);
    }
    // Connections of the read-only state are replaced, although they stay usable.
    await waitUntil(async () => (await create()).status === 201);
    await waitUntil(async () => (await readiness()).status === 200);
  });

  it('only reads (25006) serves a token with other claims than the row of its user', async () => {
    await admin(`ALTER DATABASE $db SET default_transaction_read_only = on`);
    await disconnect();
    try {
      for (const name of ['A new name', 'Another new name'])
        expect((await readWithClaims({ name })).status).toBe(200);
      const unknown = await readWithClaims({ sub: randomUUID() });
      expect([unknown.status, unknown.headers.get('retry-after')]).toEqual([503, '2']);
    } finally {
      await admin(`ALTER DATABASE $db RESET default_transaction_read_only`);
    }
    expect(warnings.filter((line) => line.includes('changed users cannot be stored'))).toHaveLength(1);
  });

  it('misses a privilege on a table answers 503 to what needs it', async () => {
    await service.query('REVOKE INSERT ON tags FROM filing_service_role');
    try {
      expectProblem(await create(), 'service.unavailable');
      expect((await actor.get('/tags')).status).toBe(200);
    } finally {
      await service.query('GRANT INSERT ON tags TO filing_service_role');
    }
    expect((await create()).status).toBe(201);
  });
});
