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
} from '../../src/platform/database/embedded/postgres-account.js';
import { run } from '../../src/platform/database/embedded/processes.js';
import { freeTestPort } from '../support/free-test-port.js';

const DEBIAN = '/usr/lib/postgresql';
const PASSWORD = 'of-the-owner';
/** Only the superuser needs no password. */
const AUTHENTICATION = `host all postgres 127.0.0.1/32 trust\nhost all all 127.0.0.1/32 scram-sha-256\n`;

/** A PostgreSQL server of the Debian package. The owner of the database `filing` has only the attribute CREATEROLE. */
export class PostgresServer {
  private constructor(
    private readonly directory: string,
    private readonly port: number,
    private readonly child: ChildProcess,
  ) {}

  /** @param more further settings as `name=value` */
  static async start(...more: string[]): Promise<PostgresServer> {
    const bin = await programFolder();
    const directory = await mkdtemp(path.join(tmpdir(), 'filing-postgres-'));
    // When this runs as root, the user of PostgreSQL needs access to the folder.
    await chmod(directory, 0o755);
    const account = await postgresAccount(directory, () => undefined);
    const data = await createFolder(path.join(directory, 'data'), account);
    const options = spawnOptions(account);
    await run(
      path.join(bin, 'initdb'),
      [
        '--pgdata',
        data,
        '--username',
        'postgres',
        '--auth',
        'trust',
        '--no-sync',
        '--encoding',
        'UTF8',
        '--locale',
        'C.UTF-8',
      ],
      options,
    );
    await writeFile(path.join(data, 'pg_hba.conf'), AUTHENTICATION);
    const port = await freeTestPort();
    const settings = [
      ...['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'fsync=off', 'timezone=UTC'],
      ...more,
    ];
    const log = await open(path.join(directory, 'log'), 'a');
    const child = spawn(
      path.join(bin, 'postgres'),
      ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])],
      { ...options, stdio: ['ignore', log.fd, log.fd] },
    );
    await log.close();
    const server = new PostgresServer(directory, port, child);
    await server.waitUntilReady();
    await server.runAsSuperuser(
      `CREATE ROLE filing LOGIN CREATEROLE PASSWORD '${PASSWORD}'`,
      'CREATE DATABASE filing OWNER filing',
    );
    return server;
  }

  /** URL with the role that owns the database. */
  get url(): string {
    return `postgres://filing:${PASSWORD}@127.0.0.1:${this.port}/filing`;
  }

  get superuserUrl(): string {
    return `postgres://postgres@127.0.0.1:${this.port}/postgres`;
  }

  log(): Promise<string> {
    return readFile(path.join(this.directory, 'log'), 'utf8');
  }

  /** Creates a role that can read everything without row level security and write nothing; returns its URL. */
  async readerUrl(): Promise<string> {
    await this.runAsSuperuser(
      `CREATE ROLE reader LOGIN BYPASSRLS PASSWORD 'reads'`,
      'GRANT pg_read_all_data TO reader',
    );
    return `postgres://reader:reads@127.0.0.1:${this.port}/filing`;
  }

  async stop(): Promise<void> {
    this.child.kill('SIGQUIT');
    if (this.child.exitCode === null && this.child.signalCode === null) await once(this.child, 'exit');
    await rm(this.directory, { recursive: true, force: true });
  }

  private async runAsSuperuser(...statements: string[]): Promise<void> {
    const client = new pg.Client({ connectionString: this.superuserUrl });
    await client.connect();
    try {
      for (const statement of statements) await client.query(statement);
    } finally {
      await client.end();
    }
  }

  private async waitUntilReady(): Promise<void> {
    while (this.child.exitCode === null) {
      const answered = await this.runAsSuperuser('SELECT 1').then(
        () => true,
        () => false,
      );
      if (answered) return;
      await sleep(50);
    }
    throw new Error(`PostgreSQL ended with ${this.child.exitCode} instead of starting.`);
  }
}

/** Folder of the programs of the newest version on Debian, which is also the version of `pg_dump` on the PATH. */
async function programFolder(): Promise<string> {
  const versions = await readdir(DEBIAN).catch(() => []);
  const newest = versions
    .map(Number)
    .filter(Boolean)
    .sort((one, other) => other - one)[0];
  if (newest === undefined)
    throw new Error(`No PostgreSQL in ${DEBIAN}; these tests need it (Debian: apt-get install postgresql)`);
  return path.join(DEBIAN, String(newest), 'bin');
}

async function createFolder(folder: string, account: PostgresAccount | undefined): Promise<string> {
  await mkdir(folder, { mode: 0o700 });
  if (account) await chown(folder, account.uid, account.gid);
  return folder;
}
