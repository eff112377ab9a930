import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { type TestDatabase, createTestDatabase } from '../support/database.js';
import { runAsAdmin } from '../support/database-nodes.js';
import { UNTRACKED, lookupPassword } from '../support/pooler.js';
import { PgBouncer } from '../support/servers/pgbouncer.js';
import { TestIssuer } from '../support/servers/issuer.js';
import { tryStart } from '../support/service/try-start.js';
import { LONG_DATABASE_TIMEOUTS } from '../support/wait-until.js';

const password = lookupPassword();

describe('The start behind PgBouncer', () => {
  let database: TestDatabase;
  let issuer: TestIssuer;
  let directory: string;
  let pooler: PgBouncer;
  let role: string;

  beforeAll(async () => {
    [database, issuer] = await Promise.all([createTestDatabase(), TestIssuer.start()]);
    directory = await mkdtemp(path.join(tmpdir(), 'filing-pooler-'));
    pooler = await PgBouncer.start(database.ownerUrl, { password });
    role = `${new URL(database.ownerUrl).pathname.slice(1).slice(0, 50)}_service`;
  });

  afterAll(async () => {
    await pooler.stop();
    await issuer.stop();
    await database.drop();
    await runAsAdmin(process.env['TEST_NODE_URLS'] ?? '', `DROP ROLE IF EXISTS ${pg.escapeIdentifier(role)}`);
    await rm(directory, { recursive: true, force: true });
  });

  const asOwner = (statement: string) => runAsAdmin(database.ownerUrl, statement);

  const settings = (): NodeJS.ProcessEnv => ({
    HOST: '127.0.0.1',
    PORT: '0',
    DATA_DIR: directory,
    DATABASE_URL: pooler.through(database.ownerUrl),
    DATABASE_DIRECT_URL: database.ownerUrl,
    DATABASE_PREPARED: 'false',
    OIDC_ISSUER: issuer.url,
    ...LONG_DATABASE_TIMEOUTS,
  });

  const start = (environment: NodeJS.ProcessEnv) => tryStart({ ...settings(), ...environment });

  async function expectRefusal(environment: NodeJS.ProcessEnv, message: RegExp): Promise<void> {
    const { outcome } = await start(environment);
    expect(outcome).toMatch(message);
    expect(outcome.split('\n')).toHaveLength(1);
  }

  it('sets the limits of the derived role, which apply through the pooler', async () => {
    const { outcome, printed } = await start({ DATABASE_STATEMENT_TIMEOUT_MS: '40000' });
    expect(outcome).toBe('serves');
    expect(printed.filter((line) => line.includes('Warning'))).toEqual([]);
    expect(
      await asOwner(
        `SELECT unnest(setconfig) AS setting FROM pg_db_role_setting s JOIN pg_roles r ON r.oid = s.setrole
          WHERE rolname = ${pg.escapeLiteral(role)} ORDER BY 1`,
      ),
    ).toEqual(
      [
        'DateStyle=ISO',
        'TimeZone=UTC',
        'enable_seqscan=off',
        'idle_in_transaction_session_timeout=60000',
        'jit=off',
        'lock_timeout=4000',
        'statement_timeout=40000',
      ].map((setting) => ({ setting })),
    );
  });

  it('warns when connections of the pooler still have other limits', async () => {
    expect((await start({ DATABASE_STATEMENT_TIMEOUT_MS: '40000' })).outcome).toBe('serves');
    const { outcome, printed } = await start({ DATABASE_STATEMENT_TIMEOUT_MS: '50000' });
    expect(outcome).toBe('serves');
    expect(printed.filter((line) => line.includes('Warning'))).toEqual([
      expect.stringMatching(
        /^ {2}Warning: through the pooler, the sessions of the role \S+ have other settings \(statement_timeout = 40000, lock_timeout = 4000\)\. Run .*RECONNECT/,
      ),
    ]);
    await pooler.command('RECONNECT');
    const { printed: next } = await start({ DATABASE_STATEMENT_TIMEOUT_MS: '50000' });
    expect(next.filter((line) => line.includes('Warning'))).toEqual([]);
  });

  it('is refused when DATABASE_SERVICE_URL names a role without limits, until the printed statements have run', async () => {
    const login = `login_${role.slice(-40)}`;
    await asOwner(`CREATE ROLE ${login} LOGIN PASSWORD 'x' IN ROLE filing_service_role`);
    try {
      const service = new URL(pooler.through(database.ownerUrl));
      [service.username, service.password] = [login, 'x'];
      const environment = { DATABASE_SERVICE_URL: service.toString() };
      const { outcome } = await start(environment);
      expect(outcome).toMatch(
        /^Through the pooler, the sessions of the role login_\S+ lack settings \(.*statement_timeout = 0.*\)\. Run as its administrator: ALTER ROLE/,
      );
      const statements = /administrator: (.*); then RECONNECT/.exec(outcome)?.[1]?.split('; ') ?? [];
      for (const statement of statements) await asOwner(statement);
      await pooler.command('RECONNECT');
      expect((await start(environment)).outcome).toBe('serves');
    } finally {
      await asOwner(`DROP ROLE ${login}`);
    }
  });

  it('is refused when a URL leads through the pooler without DATABASE_DIRECT_URL', async () => {
    const needed = /^The URL of the database leads through a connection pooler\. Set DATABASE_DIRECT_URL to/;
    await expectRefusal({ DATABASE_DIRECT_URL: '' }, needed);
    await expectRefusal({ DATABASE_DIRECT_URL: pooler.through(database.ownerUrl) }, needed);
    const service = new URL(pooler.through(database.serviceUrl));
    await expectRefusal(
      { DATABASE_URL: database.ownerUrl, DATABASE_DIRECT_URL: '', DATABASE_SERVICE_URL: service.toString() },
      needed,
    );
  });

  it('is refused when the pooler ignores start options, without DATABASE_DIRECT_URL', async () => {
    const other = await PgBouncer.start(database.ownerUrl, {
      password,
      settings: { ignore_startup_parameters: 'options' },
    });
    try {
      await expectRefusal(
        { DATABASE_URL: other.through(database.ownerUrl), DATABASE_DIRECT_URL: '' },
        /^The URL of the database leads through a connection pooler/,
      );
      const locks = await asOwner(`SELECT FROM pg_locks WHERE locktype = 'advisory' AND database =
        (SELECT oid FROM pg_database WHERE datname = current_database())`);
      expect(locks).toEqual([]);
    } finally {
      await other.stop();
    }
  });

  it('is refused when the pooler leads to another database', async () => {
    const other = await createTestDatabase();
    try {
      await expectRefusal(
        { DATABASE_URL: pooler.through(other.ownerUrl) },
        /^The pooler leads to another database \(\S+\) than DATABASE_DIRECT_URL \(\S+\)\. Set both to/,
      );
    } finally {
      await other.drop();
    }
  });

  it('is refused with prepared statements when the pooler does not track them', async () => {
    const untracked = await PgBouncer.start(database.ownerUrl, {
      password,
      settings: UNTRACKED,
    });
    try {
      await expectRefusal(
        { DATABASE_URL: untracked.through(database.ownerUrl), DATABASE_PREPARED: 'true' },
        /^The pooler does not track prepared statements\. Set DATABASE_PREPARED=false/,
      );
    } finally {
      await untracked.stop();
    }
  });

  it('is refused when the pooler does not answer', () =>
    expectRefusal(
      { DATABASE_URL: 'postgres://filing:x@127.0.0.1:1/filing' },
      /^The service role cannot log in through the pooler: /,
    ));

  it('is refused with DATABASE_DIRECT_URL alone', () =>
    expectRefusal({ DATABASE_URL: '' }, /DATABASE_URL must be set with DATABASE_DIRECT_URL\.$/));
});
