import { createHmac } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { Service } from '../../../src/start/service.js';
import { messageFor } from '../../../src/start/start-checks.js';
import { inDatabase } from '../../support/database-nodes.js';
import { LONG_DATABASE_TIMEOUTS } from '../../support/wait-until.js';

/** A PostgreSQL server that logs all statements and requires a password from every role but its superuser. */
export interface LoggingServer {
  readonly superuserUrl: string;
  log(): Promise<string>;
  stop(): Promise<void>;
}

const OWNER_PASSWORD = 'of-the-owner';
const TENANT = '0199f7a4-6c1e-7b52-9d2e-000000000001';

/** The password that the service derives for the service role, as an attacker computes it. */
const derived = (ownerPassword: string, role = 'records_service') =>
  createHmac('sha256', ownerPassword).update(`serving role ${role}`).digest('base64url');
const KNOWN_PASSWORD = derived('');

/** Defines the tests of the service role: how the service creates it, and what an attacker can do with it. */
export function describeServiceRole(startServer: () => Promise<LoggingServer>): void {
  let server: LoggingServer;
  let superuser: pg.Client;
  let ownerUrl: string;
  let directory: string;
  const running: Service[] = [];

  const query = async <R extends pg.QueryResultRow>(text: string): Promise<R[]> =>
    (await superuser.query<R>(text)).rows;

  function urlOf(role: string, password: string): string {
    const url = new URL(ownerUrl);
    url.username = role;
    url.password = password;
    return url.toString();
  }

  /** Returns the rows of the last statement. */
  async function as(url: string, ...statements: string[]): Promise<{ rows: unknown[]; notices: string[] }> {
    const client = new pg.Client({ connectionString: url });
    const notices: string[] = [];
    client.on('notice', ({ message }) => notices.push(message ?? ''));
    await client.connect();
    try {
      let rows: unknown[] = [];
      for (const statement of statements) ({ rows } = await client.query(statement));
      return { rows, notices };
    } finally {
      await client.end();
    }
  }

  const logsIn = (password: string) =>
    as(urlOf('records_service', password)).then(
      () => true,
      () => false,
    );

  /** Starts the service. `outcome` is `serves`, or the reason why it did not start. */
  async function start(environment: NodeJS.ProcessEnv): Promise<{ outcome: string; printed: string }> {
    const lines: string[] = [];
    const service = new Service((line) => lines.push(line));
    running.push(service);
    const outcome = await service
      .start({
        PORT: '0',
        DATA_DIR: directory,
        DATABASE_URL: ownerUrl,
        DATABASE_POOL_SIZE: '2',
        OIDC_ISSUER: 'http://127.0.0.1:9',
        LOG_LEVEL: 'fatal',
        ...LONG_DATABASE_TIMEOUTS,
        ...environment,
      })
      .then(() => 'serves', messageFor);
    return { outcome, printed: lines.join('\n') };
  }

  async function stopAll(): Promise<void> {
    for (const service of running.splice(0)) await service.stop();
  }

  beforeAll(async () => {
    server = await startServer();
    directory = await mkdtemp(path.join(tmpdir(), 'filing-roles-'));
    superuser = new pg.Client({ connectionString: inDatabase(server.superuserUrl, 'postgres') });
    await superuser.connect();
    // As in docs/deployment.md.
    await query(`CREATE ROLE records LOGIN CREATEROLE PASSWORD '${OWNER_PASSWORD}'`);
    await query(`CREATE DATABASE records OWNER records ENCODING 'UTF8' TEMPLATE template0`);
    const url = new URL(inDatabase(server.superuserUrl, 'records'));
    url.username = 'records';
    url.password = OWNER_PASSWORD;
    ownerUrl = url.toString();
    await superuser.end();
    superuser = new pg.Client({ connectionString: inDatabase(server.superuserUrl, 'records') });
    await superuser.connect();
  });
  afterEach(stopAll);
  afterAll(async () => {
    await superuser.end();
    await server.stop();
    await rm(directory, { recursive: true, force: true });
  });

  const statementsOnRoles = async () =>
    (await server.log()).match(/(CREATE|ALTER) ROLE "?records_service.*/g) ?? [];

  it('is created once by two instances that start together, and unchanged by the next start', async () => {
    const both = await Promise.all([start({}), start({})]);
    expect(both.map(({ outcome }) => outcome)).toEqual(['serves', 'serves']);
    await stopAll();
    const statements = await statementsOnRoles();
    expect(statements).toHaveLength(1);
    expect(await start({})).toMatchObject({ outcome: 'serves' });
    expect(await statementsOnRoles()).toEqual(statements);
    expect(await logsIn(derived(OWNER_PASSWORD))).toBe(true);
  });

  it('gets its password as a SCRAM verifier, so that the server log does not contain it', async () => {
    const log = await server.log();
    expect(log).not.toContain(derived(OWNER_PASSWORD));
    expect(await statementsOnRoles()).toEqual([
      expect.stringMatching(/^CREATE ROLE "records_service" LOGIN PASSWORD 'SCRAM-SHA-256\$4096:/),
    ]);
  });

  it('gets wrong attributes corrected at the start of the service', async () => {
    await query('ALTER ROLE records_service NOLOGIN CREATEDB');
    await query('ALTER ROLE records CREATEDB');
    expect(await start({})).toMatchObject({ outcome: 'serves' });
    expect(
      await query(`SELECT rolcanlogin, rolcreatedb FROM pg_roles WHERE rolname = 'records_service'`),
    ).toEqual([{ rolcanlogin: true, rolcreatedb: false }]);
  });

  describe('with a password derived from an empty owner password, as in earlier releases', () => {
    let withoutPassword: string;
    beforeEach(async () => {
      await query(`ALTER ROLE records_service LOGIN PASSWORD '${KNOWN_PASSWORD}'`);
      const url = new URL(ownerUrl);
      url.password = '';
      withoutPassword = url.toString();
    });

    /** Runs `work` with environment variables that the library pg reads. */
    async function withVariables<T>(variables: Record<string, string>, work: () => Promise<T>): Promise<T> {
      Object.assign(process.env, variables);
      try {
        return await work();
      } finally {
        for (const name of Object.keys(variables)) Reflect.deleteProperty(process.env, name);
      }
    }

    it('can no longer log in; with a .pgpass file, the service requires DATABASE_SERVICE_URL', async () => {
      const PGPASSFILE = path.join(directory, 'pgpass');
      await writeFile(PGPASSFILE, `*:*:*:records:${OWNER_PASSWORD}\n`, { mode: 0o600 });
      const { outcome, printed } = await withVariables({ PGPASSFILE }, () =>
        start({ DATABASE_URL: withoutPassword }),
      );
      expect(await logsIn(KNOWN_PASSWORD)).toBe(false);
      expect(outcome).toMatch(
        /^DATABASE_URL has no password, .* set DATABASE_SERVICE_URL to it, or set PGPASSWORD\.$/,
      );
      expect(printed).toContain('records_service had a password that anyone can compute');
    });

    it('gets a password derived from PGPASSWORD', async () => {
      const { outcome } = await withVariables({ PGPASSWORD: OWNER_PASSWORD }, () =>
        start({ DATABASE_URL: withoutPassword }),
      );
      expect(outcome).toBe('serves');
      expect(await logsIn(KNOWN_PASSWORD)).toBe(false);
      expect(await logsIn(derived(OWNER_PASSWORD))).toBe(true);
    });

    it('can no longer log in when DATABASE_SERVICE_URL names another role', async () => {
      await query(`CREATE ROLE other LOGIN PASSWORD 'x' IN ROLE filing_service_role`);
      const { outcome, printed } = await start({ DATABASE_SERVICE_URL: urlOf('other', 'x') });
      expect(outcome).toBe('serves');
      expect(await logsIn(KNOWN_PASSWORD)).toBe(false);
      expect(printed).toContain('records_service had a password that anyone can compute');
    });
  });

  describe('that is a member of a role with more privileges', () => {
    beforeAll(async () => {
      await query(`INSERT INTO tenants (id, name) VALUES ('${TENANT}', 'One')`);
      await query(`CREATE ROLE clerk LOGIN PASSWORD 'x' IN ROLE filing_service_role`);
      await query('CREATE ROLE middle');
    });
    afterEach(async () => {
      for (const role of ['records', 'middle', 'pg_write_all_data']) await query(`REVOKE ${role} FROM clerk`);
      await query('REVOKE records FROM middle');
      await query('ALTER ROLE clerk INHERIT');
    });

    const record = () =>
      query(`INSERT INTO audit_entries (tenant_id, id, action, subject_type, subject_id)
             VALUES ('${TENANT}', gen_random_uuid(), 'DocumentCreated', 'Document', gen_random_uuid())`);

    it.each([
      ['the owner', ['GRANT records TO clerk'], 'SET ROLE records', 'records, which owns objects'],
      [
        'the owner with NOINHERIT',
        ['ALTER ROLE clerk NOINHERIT', 'GRANT records TO clerk'],
        'SET ROLE records',
        'records, which owns objects',
      ],
      [
        'a role that is a member of the owner',
        ['GRANT records TO middle', 'GRANT middle TO clerk'],
        'SET ROLE records',
        'middle, which may change audit entries',
      ],
      [
        'pg_write_all_data',
        ['GRANT pg_write_all_data TO clerk'],
        'SELECT 1',
        'pg_write_all_data, which may change audit entries',
      ],
    ])(
      'is refused as a member of %s, because it could delete audit entries',
      async (_of, grants, become, reason) => {
        for (const grant of grants) await query(grant);
        await record();
        const clerk = urlOf('clerk', 'x');
        const { rows } = await as(
          clerk,
          become,
          `SELECT set_config('app.tenant_id', '${TENANT}', false)`,
          'DELETE FROM audit_entries RETURNING id',
        );
        expect(rows).toHaveLength(1);
        expect((await start({ DATABASE_SERVICE_URL: clerk })).outcome).toMatch(
          new RegExp(`^The role clerk must not serve requests: it is a member of the role ${reason}`),
        );
      },
    );

    it('is refused as a member of a superuser role', async () => {
      const [row] = await query<{ name: string }>('SELECT quote_ident(current_user) AS name');
      await query(`GRANT ${row?.name} TO clerk`);
      const { outcome } = await start({ DATABASE_SERVICE_URL: urlOf('clerk', 'x') });
      await query(`REVOKE ${row?.name} FROM clerk`);
      expect(outcome).toContain('which is a superuser');
    });
  });

  describe('in a session of an attacker', () => {
    const LEAK = `CREATE FUNCTION pg_temp.leak(title text) RETURNS boolean LANGUAGE plpgsql COST 0.0000001
                    AS $$ BEGIN RAISE NOTICE '%', title; RETURN true; END $$`;
    const READ = 'SELECT title FROM documents_search WHERE pg_temp.leak(title)';

    /** If the owner is a superuser, its policies do not order the conditions of the view (docs/adr/0007). */
    it('cannot read titles of a tenant with a temporary function', async () => {
      await query('CREATE DATABASE wide');
      const owner = new URL(inDatabase(server.superuserUrl, 'wide'));
      owner.password ||= 'x';
      await start({ DATABASE_URL: owner.toString() });
      await as(
        owner.toString(),
        `INSERT INTO tenants (id, name) VALUES ('${TENANT}', 'One')`,
        `INSERT INTO users (id, issuer, subject, name_key) VALUES ('${TENANT}', 'issuer', 'subject', 'name')`,
        `INSERT INTO documents (tenant_id, id, title, status, created_by)
         VALUES ('${TENANT}', gen_random_uuid(), 'Secret of the tenant', 'Active', '${TENANT}')`,
      );
      const session = new URL(owner);
      session.username = 'wide_service';
      session.password = derived(decodeURIComponent(owner.password), 'wide_service');
      // Disable index scans, so that the condition on the tenant is not evaluated first.
      const scan = 'SET enable_indexscan = off; SET enable_bitmapscan = off';
      const attack = as(session.toString(), LEAK, scan, READ).then(({ notices }) => notices);
      await expect(attack).rejects.toMatchObject({
        code: '42501',
        message: 'permission denied to create temporary tables in database "wide"',
      });
    });

    it('cannot create functions in the public schema of a database upgraded from PostgreSQL 14', async () => {
      await query(`ALTER ROLE records_service LOGIN PASSWORD '${derived(OWNER_PASSWORD)}'`);
      await query('GRANT CREATE ON SCHEMA public TO PUBLIC');
      await start({});
      const session = urlOf('records_service', derived(OWNER_PASSWORD));
      await expect(as(session, LEAK.replace('pg_temp', 'public'))).rejects.toMatchObject({ code: '42501' });
    });

    it('starts with a warning when the owner of the schema cannot revoke TEMPORARY', async () => {
      const [row] = await query<{ name: string }>('SELECT quote_ident(current_user) AS name');
      await query(`ALTER DATABASE records OWNER TO ${row?.name}`);
      await query('GRANT TEMPORARY ON DATABASE records TO PUBLIC');
      await query('GRANT CREATE ON DATABASE records TO records');
      const { outcome, printed } = await start({});
      expect(outcome).toBe('serves');
      const [statement = ''] = /REVOKE TEMPORARY.*;/.exec(printed) ?? [];
      await query(statement);
      await stopAll();
      expect((await start({})).printed).not.toContain('REVOKE');
    });
  });
}
