import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type FileHandle, open, readFile, rename, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemErrorReason } from '../../../common/system-error-reason.js';
import { DatabaseStartError } from './database-start-error.js';
import { inDataFolder, type PostgresAccount } from './postgres-account.js';
import { type PostgresBinaries } from './postgres-binaries.js';
import { processCommand, processDirectory, processIdentity } from './processes.js';

export interface PostmasterPlan {
  readonly binaries: PostgresBinaries;
  readonly account: PostgresAccount | undefined;
  readonly cluster: string;
  readonly logFile: string;
  readonly settings: Readonly<Record<string, string>>;
}

/** A server process: started by this process, or found running. */
export interface Postmaster {
  readonly pid: number;
  readonly port: number;
  /** Resolves when the process has ended, with the reason from its log. Empty when the reason is unknown. */
  readonly exited: Promise<string>;
  /** Does nothing when the process has ended. */
  signal(name: NodeJS.Signals): void;
}

const POLL_MS = 250;
const LOG_BYTES = 5_000_000;
const LOG_TAIL_BYTES = 16_384;
const PROGRESS_MS = 5000;
/** After this time the server is stopped without writing its cache, and recovers at the next start. */
const STOP_MS = 60_000;

function serverArguments(plan: PostmasterPlan, port: number): string[] {
  const settings = Object.entries(plan.settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const { argument } = inDataFolder(plan.cluster, plan.account);
  return ['-D', argument, '-p', String(port), ...settings];
}

interface PidFile {
  readonly pid: number;
  readonly port: number;
  readonly stopping: boolean;
}

/**
 * Reads PostgreSQL's lock file. Its lines: pid, folder, start, port, socket folder, address, key, status
 * (miscadmin.h).
 */
async function readPidFile(cluster: string): Promise<PidFile | undefined> {
  const text = await readFile(path.join(cluster, 'postmaster.pid'), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const lines = text.split('\n');
  return {
    pid: Math.abs(Number(lines[0])),
    port: Number(lines[3]),
    stopping: lines[7]?.trim() === 'stopping',
  };
}

/** The running server of the cluster. Checks that its process id does not belong to another program by now. */
async function findServer(cluster: string): Promise<(PidFile & { identity: string }) | undefined> {
  const file = await readPidFile(cluster);
  const identity = file && (await processIdentity(file.pid));
  if (!file || identity === undefined) return undefined;
  if ((await processDirectory(file.pid)) === cluster) return { ...file, identity };
  return (await processCommand(file.pid))?.includes(` -D ${cluster} -p `) ? { ...file, identity } : undefined;
}

/**
 * Makes a server start despite the lock file of a server that has ended. PostgreSQL ignores such a file by itself,
 * except when its process id now belongs to another program or to a zombie (containers without an init process). It
 * also ignores the id of its own parent process, so this writes the id of this process into the file. PostgreSQL
 * still checks that no backend of the previous server is running.
 */
async function replaceStalePid(cluster: string): Promise<void> {
  const file = await readPidFile(cluster);
  if (!file || (await findServer(cluster))) return;
  const pidFile = path.join(cluster, 'postmaster.pid');
  const [, ...rest] = (await readFile(pidFile, 'utf8')).split('\n');
  await writeFile(pidFile, [String(process.pid), ...rest].join('\n'));
}

/** Limits the size of the log: renames a large file, so that a new one is started. */
async function rotate(logFile: string): Promise<void> {
  const size = await stat(logFile).then(
    (stats) => stats.size,
    () => 0,
  );
  if (size > LOG_BYTES) await rename(logFile, `${logFile}.1`);
}

/** Reason why the server ended: its last fatal message after position `begin` of the log, or else its last line. */
async function reasonInLog(log: FileHandle, begin: number): Promise<string> {
  const { size } = await log.stat();
  const position = Math.max(begin, size - LOG_TAIL_BYTES);
  const { buffer, bytesRead } = await log.read({ buffer: Buffer.alloc(LOG_TAIL_BYTES), position });
  const lines = buffer.toString('utf8', 0, bytesRead).trim().split('\n');
  const fatal = lines.findLast((line) => /\b(FATAL|PANIC): /.test(line)) ?? lines.at(-1) ?? '';
  return fatal.replace(/^.*?\b(FATAL|PANIC): +/, '');
}

/** Starts a server process, without waiting until it is ready. */
export async function spawnPostmaster(plan: PostmasterPlan, port: number): Promise<Postmaster> {
  await replaceStalePid(plan.cluster);
  await rotate(plan.logFile);
  const log = await open(plan.logFile, 'a+', 0o600);
  if (plan.account) await log.chown(plan.account.uid, plan.account.gid);
  const { size: begin } = await log.stat();
  // Detached, because Ctrl-C in a terminal signals the whole process group, and the server must run until the
  // requests in flight are answered. A log file instead of a pipe, because the server continues when this process is
  // killed.
  const child = spawn(plan.binaries.postgres, serverArguments(plan, port), {
    ...inDataFolder(plan.cluster, plan.account).options,
    detached: true,
    stdio: ['ignore', log.fd, log.fd],
  });
  const exited = once(child, 'exit').then(async ([, signal]: unknown[]) => {
    const reason = typeof signal === 'string' ? signal : await reasonInLog(log, begin).catch(() => '');
    await log.close();
    return reason;
  });
  try {
    await Promise.race([once(child, 'spawn'), exited]);
  } catch (error) {
    await log.close();
    throw new DatabaseStartError(`PostgreSQL cannot be started (${systemErrorReason(error)}).`, {
      cause: error,
    });
  }
  return { pid: child.pid ?? 0, port, exited, signal: (name) => void child.kill(name) };
}

/** A running server that is not a child of this process. */
function foreignPostmaster({ pid, port }: PidFile, identity: string): Postmaster {
  let hasEnded = false;
  const waitForEnd = async () => {
    while ((await processIdentity(pid)) === identity) await sleep(POLL_MS);
    hasEnded = true;
    return '';
  };
  const signal = (name: NodeJS.Signals) => {
    try {
      if (!hasEnded) process.kill(pid, name);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  };
  return { pid, port, exited: waitForEnd(), signal };
}

/**
 * The server that is still running on the cluster because the previous service was killed; undefined when there is
 * none. If it was started with other programs or settings than `plan`, stops it and returns undefined.
 */
export async function findPostmaster(
  plan: PostmasterPlan,
  port: number | undefined,
  log: (line: string) => void,
): Promise<Postmaster | undefined> {
  const file = await findServer(plan.cluster);
  if (!file) return undefined;
  const found = foreignPostmaster(file, file.identity);
  const wanted = [plan.binaries.postgres, ...serverArguments(plan, port ?? file.port)].join(' ');
  if (!file.stopping && (await processCommand(file.pid)) === wanted) return found;
  log(`stopping the database server that was still running (process ${file.pid})`);
  await stopPostmaster(found, log);
  return undefined;
}

/** Stops the server by a fast shutdown: rolls back open transactions and writes all data. Waits for the end. */
export async function stopPostmaster(postmaster: Postmaster, log: (line: string) => void): Promise<void> {
  const begin = Date.now();
  let isForced = false;
  const progress = setInterval(() => {
    const waited = Date.now() - begin;
    log(`still waiting for the database server to stop (${Math.round(waited / 1000)} s)`);
    if (waited < STOP_MS || isForced) return;
    isForced = true;
    postmaster.signal('SIGQUIT');
  }, PROGRESS_MS);
  try {
    postmaster.signal('SIGINT');
    await postmaster.exited;
  } finally {
    clearInterval(progress);
  }
}
