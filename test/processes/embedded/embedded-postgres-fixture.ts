import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, realpath, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import pg from 'pg';
import {
  type EmbeddedDatabase,
  type EmbeddedPostgresOptions,
  startEmbeddedPostgres,
} from '../../../src/platform/database/embedded/embedded-postgres.js';
import {
  processCommand,
  processDirectory,
  processIdentity,
} from '../../../src/platform/database/embedded/processes.js';
import { waitUntil } from '../../support/wait-until.js';
import { freeTestPort } from '../../support/free-test-port.js';
import { postgresFolder } from '../../support/postgres-folder.js';

/** A service in another process (embedded-postgres-process.ts). */
export interface SpawnedService {
  readonly url: string;
  readonly pid: number;
  /** Signals the whole process group, as a terminal does for Ctrl-C. */
  signalGroup(name: NodeJS.Signals): void;
  kill(): Promise<void>;
  nextLine(): Promise<string>;
  readonly exited: Promise<unknown>;
}

/** Creates data folders, servers and processes for a spec; `clear` removes all of them. */
export class EmbeddedPostgresFixture {
  readonly log: string[] = [];
  private readonly folders: string[] = [];
  private readonly databases: EmbeddedDatabase[] = [];
  private readonly children: ChildProcess[] = [];

  async folder(): Promise<string> {
    const folder = await postgresFolder('filing-embedded-');
    this.folders.push(folder);
    return folder;
  }

  /** A folder with a reserved port, which no other test takes while the server is stopped. */
  async folderWithPort(): Promise<string> {
    const folder = await this.folder();
    await writeFile(path.join(folder, 'postgres.port'), `${await freeTestPort()}\n`);
    return folder;
  }

  async start(directory: string, options: Partial<EmbeddedPostgresOptions> = {}): Promise<EmbeddedDatabase> {
    const database = await startEmbeddedPostgres({
      directory,
      log: (line) => this.log.push(line),
      ...options,
    });
    this.databases.push(database);
    return database;
  }

  spawn(directory: string, ...args: string[]): ChildProcess {
    const child = spawn(
      process.execPath,
      [
        '--import',
        './test/support/runner/register-typescript.mjs',
        './test/processes/embedded/embedded-postgres-process.ts',
        directory,
        ...args,
      ],
      { detached: true, stdio: ['ignore', 'pipe', 'pipe'] },
    );
    child.stderr?.on('data', (chunk: Buffer) => this.log.push(...chunk.toString().trim().split('\n')));
    this.children.push(child);
    return child;
  }

  async spawnService(directory: string): Promise<SpawnedService> {
    const child = this.spawn(directory);
    const exited = once(child, 'exit');
    const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
    const nextLine = async () => String((await lines.next()).value);
    const url = await nextLine();
    if (!url.startsWith('postgres:')) throw new Error(`The service did not start: ${this.log.join('; ')}`);
    const pid = child.pid!;
    return {
      url,
      pid,
      exited,
      nextLine,
      signalGroup: (name) => process.kill(-pid, name),
      async kill() {
        child.kill('SIGKILL');
        await exited;
      },
    };
  }

  async clear(): Promise<void> {
    for (const child of this.children) child.kill('SIGKILL');
    for (const database of this.databases) await database.stop();
    for (const folder of this.folders) {
      const pid = await runningPostmaster(folder);
      if (pid !== undefined) {
        signalIfRunning(pid, 'SIGQUIT');
        await waitUntil(async () => (await runningPostmaster(folder)) !== pid);
      }
      await rm(folder, { recursive: true, force: true, maxRetries: 10 });
    }
  }
}

export function signalIfRunning(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

export async function postmasterPid(directory: string): Promise<number> {
  const text = await readFile(path.join(directory, 'postgres', 'postmaster.pid'), 'utf8');
  return Number(text.split('\n')[0]);
}

/**
 * Process id of the running server; undefined when there is none. Checks the process, because the file alone is not
 * enough: during a start it has the id of the service, and the id of an ended server may belong to another program.
 */
export async function runningPostmaster(directory: string): Promise<number | undefined> {
  const pid = await postmasterPid(directory).catch(() => undefined);
  const cluster = await realpath(path.join(directory, 'postgres')).catch(() => undefined);
  if (!pid || !cluster || !(await processIdentity(pid))) return undefined;
  if ((await processDirectory(pid)) === cluster) return pid;
  return (await processCommand(pid))?.includes(` -D ${cluster} `) ? pid : undefined;
}

/** Runs statements on a new connection. Returns the rows of the last one as arrays. */
export async function sql(url: string, ...statements: string[]): Promise<unknown[][]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    let rows: unknown[][] = [];
    for (const text of statements) ({ rows } = await client.query<unknown[]>({ text, rowMode: 'array' }));
    return rows;
  } finally {
    await client.end().catch(() => undefined);
  }
}
