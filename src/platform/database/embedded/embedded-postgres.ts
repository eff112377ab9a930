import { randomBytes } from 'node:crypto';
import { chmod, readFile, realpath, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeFolder } from '../../../common/folder.js';
import { systemErrorReason } from '../../../common/system-error-reason.js';
import { dataDirectoryHolder, lockDataDirectory } from './data-directory-lock.js';
import { DatabaseStartError, startError } from './database-start-error.js';
import { postgresAccount } from './postgres-account.js';
import { findBinaries } from './postgres-binaries.js';
import { ensureCluster, locateCluster } from './postgres-cluster.js';
import { freePort, ownerUrl, startServer } from './postgres-server.js';
import { type Postmaster, type PostmasterPlan, stopLeftServer, stopPostmaster } from './postmaster.js';

export interface EmbeddedPostgresOptions {
  /** The data folder. It has the cluster (`postgres`) and the files for password, port and log of the server. */
  readonly directory: string;
  readonly log: (line: string) => void;
  /** Additional PostgreSQL settings, for tests that need no durability. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Aborts the start; a server that was already started is stopped. */
  readonly signal?: AbortSignal;
  /**
   * Delay before the first restart of a failed server, in milliseconds; doubled before each further restart. For
   * tests.
   */
  readonly restartDelayMs?: number;
  /** Called when the server has ended and cannot be restarted. */
  readonly onLost?: (error: Error) => void;
}

export interface EmbeddedDatabase {
  /** URL of the database `filing` for the owner. */
  readonly url: string;
  readonly port: number;
  /** Stops the server and waits until all data is written. Further calls wait for the first one. */
  stop(): Promise<void>;
}

const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // Messages of the server only. The service logs errors of statements itself; the server's text may contain user data.
  log_min_messages: 'log',
  log_checkpoints: 'off',
  // JIT compilation pays off for long queries only. A short query with an overestimated cost would wait for it.
  jit: 'off',
} as const;

/** Maximum number of restarts in a row, with increasing delays, after the server has ended unexpectedly. */
const RESTARTS = 5;
const RESTART_DELAY_MS = 250;
/** After this running time, restarts are counted from 0 again. */
const STEADY_MS = 60_000;

function secretFile(directory: string): string {
  return path.join(directory, 'postgres.secret');
}

function portFile(directory: string): string {
  return path.join(directory, 'postgres.port');
}

async function makeDirectory(directory: string): Promise<string> {
  try {
    await makeFolder(directory);
    return await realpath(directory);
  } catch (error) {
    throw startError(`The data folder ${directory} cannot be created`, error);
  }
}

async function readOrMakeSecret(directory: string): Promise<string> {
  const file = secretFile(directory);
  try {
    const secret = (await readFile(file, 'utf8').catch(() => '')).trim();
    if (/^[\w-]{20,}$/.test(secret)) {
      await chmod(file, 0o600);
      return secret;
    }
    const made = randomBytes(32).toString('base64url');
    await writeFile(`${file}.new`, `${made}\n`, { mode: 0o600 });
    await rename(`${file}.new`, file);
    return made;
  } catch (error) {
    throw startError(`The file ${file} cannot be written`, error);
  }
}

async function readPort(directory: string): Promise<number | undefined> {
  const port = Number(await readFile(portFile(directory), 'utf8').catch(() => ''));
  return Number.isInteger(port) && port > 0 && port < 65_536 ? port : undefined;
}

/** A free port, the same at each start if it is still free. */
async function choosePort(directory: string): Promise<number> {
  const kept = await readPort(directory);
  const port = (kept && (await freePort(kept))) ?? (await freePort());
  if (port === undefined)
    throw new DatabaseStartError('There is no free port on 127.0.0.1 for the embedded PostgreSQL.');
  return port;
}

/** Restarts the server when it ends unexpectedly. Returns the function that stops the server. */
function supervise(
  first: Postmaster,
  restart: (port: number, signal: AbortSignal) => Promise<Postmaster>,
  { log, onLost, restartDelayMs = RESTART_DELAY_MS }: EmbeddedPostgresOptions,
): () => Promise<void> {
  let current = first;
  const stopping = new AbortController();

  const keepRunning = async () => {
    for (let attempt = 0; ;) {
      const since = Date.now();
      let reason = await current.exited;
      if (Date.now() - since > STEADY_MS) attempt = 0;
      for (let runs = false; !runs;) {
        if (stopping.signal.aborted) return;
        if (attempt++ >= RESTARTS) {
          log('the database server cannot be restarted');
          onLost?.(
            new DatabaseStartError(`The embedded PostgreSQL ended and cannot be restarted (${reason}).`),
          );
          return;
        }
        log(
          `the database server ended unexpectedly${reason && ` (${reason})`}; restarting it (attempt ${attempt})`,
        );
        try {
          await sleep(restartDelayMs * 2 ** (attempt - 1), undefined, { signal: stopping.signal });
          current = await restart(first.port, stopping.signal);
          runs = true;
        } catch (error) {
          reason = systemErrorReason(error);
        }
      }
      log('the database server is running again');
      if (stopping.signal.aborted) await stopPostmaster(current, log);
    }
  };
  const supervision = keepRunning();

  return async () => {
    stopping.abort();
    await stopPostmaster(current, log);
    await supervision;
  };
}

/**
 * Starts the embedded PostgreSQL on 127.0.0.1 with its data in `directory`. Neither Ctrl-C nor the end of this
 * process stops it. If the service was killed, the next start replaces the running server.
 *
 * @throws DatabaseStartError with a message for the operator; DataDirectoryInUseError when another service uses the
 *   folder
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedDatabase> {
  const { log, signal, settings = {} } = options;
  const directory = await makeDirectory(options.directory);
  const lock = await lockDataDirectory(directory);
  try {
    const account = await postgresAccount(path.join(directory, 'postgres'), log);
    const binaries = await findBinaries(account, log);
    const cluster = await locateCluster(directory, account);
    const password = await readOrMakeSecret(directory);
    await ensureCluster(cluster, password, binaries, account, settings['fsync'] !== 'off', log);
    const plan: PostmasterPlan = {
      binaries,
      account,
      cluster,
      logFile: path.join(directory, 'postgres.log'),
      settings: { ...SETTINGS, ...settings },
    };
    const start = (choose: () => Promise<number>, aborted?: AbortSignal) =>
      startServer(plan, choose, password, log, aborted);

    await stopLeftServer(cluster, log);
    const postmaster = await start(() => choosePort(directory), signal);
    const { port } = postmaster;
    // Not an error: without the file, other programs cannot find the server, and the next start may choose another
    // port.
    await writeFile(portFile(directory), `${port}\n`).catch((error: unknown) => {
      log(`the file for the port of the embedded database cannot be written (${systemErrorReason(error)})`);
    });

    const stopServer = supervise(
      postmaster,
      (samePort, aborted) => start(async () => samePort, aborted),
      options,
    );
    let stopped: Promise<void> | undefined;
    return {
      url: ownerUrl(port, password),
      port,
      stop: () => (stopped ??= stopServer().finally(() => lock.release())),
    };
  } catch (error) {
    await lock.release();
    if (error instanceof DatabaseStartError || signal?.aborted) throw error;
    throw startError('The embedded PostgreSQL could not be started', error);
  }
}

/** URL, for the owner, of the database that another process runs in the folder; undefined when no process does. */
export async function runningEmbeddedPostgres(directory: string): Promise<string | undefined> {
  const holder = await dataDirectoryHolder(directory).catch(() => undefined);
  const port = await readPort(directory);
  const secret = await readFile(secretFile(directory), 'utf8').catch(() => undefined);
  return holder && port && secret ? ownerUrl(port, secret.trim()) : undefined;
}
