import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, chown, mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { postgresAccount, spawnOptions } from '../../../src/platform/database/embedded/postgres-account.js';
import { runAsAdmin } from '../database-nodes.js';
import { startCleanupProcess } from '../cleanup-process.js';
import { freeTestPort } from '../free-test-port.js';

/** Folder of the Debian package; not on every user's PATH. */
const FOLDERS = [...(process.env['PATH'] ?? '').split(':'), '/usr/sbin'];
const PID_FILE = 'pid';
/** The role that PgBouncer looks up the passwords of other roles with. */
const LOOKUP_ROLE = 'pgbouncer';

/** Statements for the superuser, in each database: PgBouncer then knows the passwords of all roles. */
export function lookupStatements(password: string): string[] {
  return [
    `DO $$ BEGIN
       CREATE ROLE ${LOOKUP_ROLE} LOGIN;
     EXCEPTION WHEN duplicate_object THEN NULL;
     END $$`,
    `ALTER ROLE ${LOOKUP_ROLE} PASSWORD '${password}'`,
    `CREATE SCHEMA IF NOT EXISTS ${LOOKUP_ROLE} AUTHORIZATION ${LOOKUP_ROLE}`,
    `CREATE OR REPLACE FUNCTION ${LOOKUP_ROLE}.login(name text) RETURNS TABLE (usename name, passwd text)
       LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog
       AS 'SELECT usename, passwd FROM pg_shadow WHERE usename = name'`,
    `REVOKE ALL ON FUNCTION ${LOOKUP_ROLE}.login FROM PUBLIC`,
    `GRANT EXECUTE ON FUNCTION ${LOOKUP_ROLE}.login TO ${LOOKUP_ROLE}`,
  ];
}

export interface PgBouncerOptions {
  /** Password of the role of {@link lookupStatements}. */
  readonly password: string;
  /** Passwords of other roles that are not to be looked up. */
  readonly users?: Readonly<Record<string, string>>;
  /** Further settings of the section [pgbouncer]. */
  readonly settings?: Readonly<Record<string, string>> | undefined;
}

/** PgBouncer in transaction mode in front of all databases of a server, on a free port of the loopback address. */
export class PgBouncer {
  private child: ChildProcess | undefined;

  private constructor(
    private readonly directory: string,
    readonly port: number,
    private readonly password: string,
    private readonly endCleanupProcess: () => Promise<void>,
  ) {}

  /** @param serverUrl any URL of the server */
  static async start(
    serverUrl: string,
    { password, users = {}, settings = {} }: PgBouncerOptions,
  ): Promise<PgBouncer> {
    const directory = await mkdtemp(path.join(tmpdir(), 'filing-pgbouncer-'));
    // When this runs as root, PgBouncer runs as another user, because it refuses to run as root.
    await chmod(directory, 0o755);
    const account = await postgresAccount(directory, () => undefined);
    if (account) await chown(directory, account.uid, account.gid);
    const port = await freeTestPort();
    const { hostname, port: serverPort } = new URL(serverUrl);
    const ini = {
      listen_addr: '127.0.0.1',
      listen_port: String(port),
      unix_socket_dir: '',
      pidfile: path.join(directory, PID_FILE),
      auth_type: 'scram-sha-256',
      auth_file: path.join(directory, 'userlist.txt'),
      auth_user: LOOKUP_ROLE,
      auth_query: `SELECT usename, passwd FROM ${LOOKUP_ROLE}.login($1)`,
      admin_users: LOOKUP_ROLE,
      pool_mode: 'transaction',
      max_client_conn: '1000',
      default_pool_size: '4',
      server_login_retry: '1',
      ...settings,
    };
    const section = Object.entries(ini).map(([name, value]) => `${name} = ${value}`);
    await writeFile(
      path.join(directory, 'pgbouncer.ini'),
      ['[databases]', `* = host=${hostname} port=${serverPort || 5432}`, '[pgbouncer]', ...section, ''].join(
        '\n',
      ),
    );
    const logins = Object.entries({ ...users, [LOOKUP_ROLE]: password });
    await writeFile(ini.auth_file, logins.map((login) => `"${login.join('" "')}"\n`).join(''));
    const pooler = new PgBouncer(directory, port, password, startCleanupProcess(directory, PID_FILE));
    try {
      await pooler.resume();
      return pooler;
    } catch (error) {
      await pooler.stop();
      throw error;
    }
  }

  /** For a database that does not have the {@link lookupStatements}, with its superuser. */
  static async startFor(superuserUrl: string, settings?: PgBouncerOptions['settings']): Promise<PgBouncer> {
    const password = randomPassword();
    await runAsAdmin(superuserUrl, ...lookupStatements(password));
    return PgBouncer.start(superuserUrl, { password, settings });
  }

  get pid(): number {
    return this.child?.pid ?? 0;
  }

  /** The URL of a database of the server, through PgBouncer. */
  through(url: string): string {
    const pooled = new URL(url);
    pooled.hostname = '127.0.0.1';
    pooled.port = String(this.port);
    return pooled.toString();
  }

  /** Starts the process, at first or after `kill`, and waits until it accepts connections. */
  async resume(): Promise<void> {
    const log = await open(path.join(this.directory, 'log'), 'a');
    const account = await postgresAccount(this.directory, () => undefined);
    const child = spawn(programPath(), [path.join(this.directory, 'pgbouncer.ini')], {
      ...spawnOptions(account),
      stdio: ['ignore', log.fd, log.fd],
    });
    this.child = child;
    await log.close();
    while (child.exitCode === null && child.signalCode === null) {
      if (
        await this.command('SHOW VERSION').then(
          () => true,
          () => false,
        )
      )
        return;
      await sleep(20);
    }
    throw new Error(`PgBouncer ended instead of starting:\n${await this.log()}`);
  }

  /** Ends the process at once, with all connections. */
  async kill(): Promise<void> {
    const { child } = this;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  }

  /** Runs a command of the console: `SHOW POOLS`, `PAUSE`. */
  async command<R extends pg.QueryResultRow>(text: string): Promise<R[]> {
    const client = new pg.Client({
      host: '127.0.0.1',
      port: this.port,
      user: LOOKUP_ROLE,
      password: this.password,
      database: 'pgbouncer',
    });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return (await client.query<R>(text)).rows;
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  log(): Promise<string> {
    return readFile(path.join(this.directory, 'log'), 'utf8');
  }

  async stop(): Promise<void> {
    await this.kill();
    await this.endCleanupProcess();
    await rm(this.directory, { recursive: true, force: true });
  }
}

export function randomPassword(): string {
  return randomBytes(16).toString('hex');
}

/** Whether this PgBouncer tracks prepared statements: from version 1.21 on. */
export function tracksStatements(): boolean {
  const version = execFileSync(programPath(), ['--version'], { encoding: 'utf8' });
  const [, major, minor] = /(\d+)\.(\d+)/.exec(version) ?? [];
  return Number(major) > 1 || (Number(major) === 1 && Number(minor) >= 21);
}

function programPath(): string {
  const given = process.env['PGBOUNCER_PATH'];
  const found = given ? [given] : FOLDERS.map((folder) => path.join(folder, 'pgbouncer'));
  const program = found.find((file) => existsSync(file));
  if (!program)
    throw new Error(
      'These tests need PgBouncer: apt-get install pgbouncer, or set PGBOUNCER_PATH to the program.',
    );
  return program;
}
