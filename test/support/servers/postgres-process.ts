import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdir, mkdtemp, open, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import {
  type PostgresAccount,
  postgresAccount,
  spawnOptions,
} from '../../../src/platform/database/embedded/postgres-account.js';
import { run } from '../../../src/platform/database/embedded/processes.js';
import { startCleanupProcess } from '../cleanup-process.js';
import { freeTestPort } from '../free-test-port.js';

const DEBIAN = '/usr/lib/postgresql';

const INITDB = [
  ...['--username', 'postgres', '--auth', 'trust', '--no-sync', '--encoding', 'UTF8', '--locale', 'C.UTF-8'],
];

/** Test data needs no durability. */
const SETTINGS = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'fsync=off', 'timezone=UTC'];

interface PostgresOptions {
  /** Folder of the programs. */
  readonly bin: string;
  /** Content of pg_hba.conf. */
  readonly authentication: string;
  /** Further settings as `name=value`. */
  readonly settings: readonly string[];
}

/** A PostgreSQL server of the Debian package in a new folder, on a free port of the loopback address. */
export class PostgresProcess {
  private child: ChildProcess | undefined;

  private constructor(
    private readonly options: PostgresOptions,
    private readonly account: PostgresAccount | undefined,
    readonly directory: string,
    readonly port: number,
    private readonly endCleanupProcess: () => Promise<void>,
  ) {}

  static start(options: PostgresOptions): Promise<PostgresProcess> {
    return PostgresProcess.create(options, async (server) => {
      await server.run('initdb', '--pgdata', server.data, ...INITDB);
      await writeFile(path.join(server.data, 'pg_hba.conf'), options.authentication);
    });
  }

  /** @param fill puts data into the empty data folder */
  private static async create(
    options: PostgresOptions,
    fill: (server: PostgresProcess) => Promise<void>,
  ): Promise<PostgresProcess> {
    const directory = await mkdtemp(path.join(tmpdir(), 'filing-postgres-'));
    // When this runs as root, the user of PostgreSQL needs access to the folder.
    await chmod(directory, 0o755);
    const account = await postgresAccount(directory, () => undefined);
    const port = await freeTestPort();
    const server = new PostgresProcess(
      options,
      account,
      directory,
      port,
      startCleanupProcess(directory, 'data/postmaster.pid'),
    );
    try {
      await mkdir(server.data, { mode: 0o700 });
      if (account) await chown(server.data, account.uid, account.gid);
      await fill(server);
      await server.resume();
      return server;
    } catch (error) {
      await server.stop();
      throw error;
    }
  }

  /** A new server that replays the changes of this one. Its `authentication` must allow the superuser to replicate. */
  replica(...settings: string[]): Promise<PostgresProcess> {
    const source = ['-h', '127.0.0.1', '-p', String(this.port), '-U', 'postgres'];
    return PostgresProcess.create({ ...this.options, settings }, (server) =>
      server.run(
        'pg_basebackup',
        ...source,
        '-D',
        server.data,
        '-R',
        '-X',
        'stream',
        '-c',
        'fast',
        '--no-sync',
      ),
    );
  }

  private async run(program: string, ...args: string[]): Promise<void> {
    await run(path.join(this.options.bin, program), args, spawnOptions(this.account));
  }

  private get data(): string {
    return path.join(this.directory, 'data');
  }

  get superuserUrl(): string {
    return `postgres://postgres@127.0.0.1:${this.port}/postgres`;
  }

  get pid(): number {
    return this.child?.pid ?? 0;
  }

  log(): Promise<string> {
    return readFile(path.join(this.directory, 'log'), 'utf8');
  }

  /** Starts the server, at first or after `interrupt`, and waits until it answers. */
  async resume(): Promise<void> {
    const log = await open(path.join(this.directory, 'log'), 'a');
    const settings = [...SETTINGS, ...this.options.settings].flatMap((setting) => ['-c', setting]);
    const child = spawn(
      path.join(this.options.bin, 'postgres'),
      ['-D', this.data, '-p', String(this.port), ...settings],
      { ...spawnOptions(this.account), stdio: ['ignore', log.fd, log.fd] },
    );
    this.child = child;
    await log.close();
    while (child.exitCode === null) {
      const answered = await this.runAsSuperuser('SELECT 1').then(
        () => true,
        () => false,
      );
      if (answered) return;
      await sleep(50);
    }
    throw new Error(`PostgreSQL ended with ${child.exitCode} instead of starting:\n${await this.log()}`);
  }

  /** Ends the server without a checkpoint; its data remains. */
  async interrupt(): Promise<void> {
    this.child?.kill('SIGQUIT');
    if (this.child?.exitCode === null && this.child.signalCode === null) await once(this.child, 'exit');
  }

  async stop(): Promise<void> {
    await this.interrupt();
    await this.endCleanupProcess();
    await rm(this.directory, { recursive: true, force: true });
  }

  async runAsSuperuser(...statements: string[]): Promise<void> {
    for (const statement of statements) await this.queryAsSuperuser(statement);
  }

  /** Each call uses a new connection. */
  async queryAsSuperuser<R extends pg.QueryResultRow>(statement: string): Promise<R[]> {
    const client = new pg.Client({ connectionString: this.superuserUrl });
    await client.connect();
    try {
      return (await client.query<R>(statement)).rows;
    } finally {
      await client.end();
    }
  }
}

/** Major versions of PostgreSQL in the folder that Debian uses, newest first. */
export async function installedVersions(): Promise<number[]> {
  const versions = await readdir(DEBIAN).catch(() => []);
  return versions
    .map(Number)
    .filter(Boolean)
    .sort((one, other) => other - one);
}

export function programFolder(version: number): string {
  return path.join(DEBIAN, String(version), 'bin');
}
