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

/** What a server of this service is started with. */
export interface PostmasterPlan {
  readonly binaries: PostgresBinaries;
  readonly account: PostgresAccount | undefined;
  readonly cluster: string;
  readonly logFile: string;
  readonly settings: Readonly<Record<string, string>>;
}

/** A running server, started by us or found running. */
export interface Postmaster {
  readonly pid: number;
  readonly port: number;
  /** Fulfilled when its process is gone, with the reason that it wrote, if we can know. */
  readonly exited: Promise<string>;
  /** Does nothing when the process is gone. */
  signal(name: NodeJS.Signals): void;
}

const POLL_MS = 250;
const LOG_BYTES = 5_000_000;
const LOG_TAIL_BYTES = 16_384;
const PROGRESS_MS = 5000;
/** Writing back a large cache may take a while; afterwards the server recovers at its next start instead. */
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

/** PostgreSQL's own lock file (miscadmin.h, LOCK_FILE_LINE_…): pid, folder, start, port, socket folder, address, key, status. */
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

/** The process that runs a server on the cluster: alive, and really that and not one that was given the same number since. */
async function findServer(cluster: string): Promise<(PidFile & { identity: string }) | undefined> {
  const file = await readPidFile(cluster);
  const identity = file && (await processIdentity(file.pid));
  if (!file || identity === undefined) return undefined;
  if ((await processDirectory(file.pid)) === cluster) return { ...file, identity };
  return (await processCommand(file.pid))?.includes(` -D ${cluster} -p `) ? { ...file, identity } : undefined;
}

/**
 * Lets a server start over the lock file of one that is gone. PostgreSQL sees to that itself, but not when the number now
 * belongs to another program, or when nobody has waited for the dead process (containers without an init). It does when the
 * number is its parent's, ours, and then still makes sure that no backend of the former server is left.
 */
async function replaceStalePid(cluster: string): Promise<void> {
  const file = await readPidFile(cluster);
  if (!file || (await findServer(cluster))) return;
  const pidFile = path.join(cluster, 'postmaster.pid');
  const [, ...rest] = (await readFile(pidFile, 'utf8')).split('\n');
  await writeFile(pidFile, [String(process.pid), ...rest].join('\n'));
}

/** Keeps the log from growing for ever: a large one makes way for a new one. */
async function rotate(logFile: string): Promise<void> {
  const size = await stat(logFile).then(
    (stats) => stats.size,
    () => 0,
  );
  if (size > LOG_BYTES) await rename(logFile, `${logFile}.1`);
}

/** Why a server ended by itself, from what it wrote since `begin`: its last fatal message, or else its last line. */
async function reasonInLog(log: FileHandle, begin: number): Promise<string> {
  const { size } = await log.stat();
  const position = Math.max(begin, size - LOG_TAIL_BYTES);
  const { buffer, bytesRead } = await log.read({ buffer: Buffer.alloc(LOG_TAIL_BYTES), position });
  const lines = buffer.toString('utf8', 0, bytesRead).trim().split('\n');
  const fatal = lines.findLast((line) => /\b(FATAL|PANIC): /.test(line)) ?? lines.at(-1) ?? '';
  return fatal.replace(/^.*?\b(FATAL|PANIC): +/, '');
}

/** Starts a server; it is not ready yet. */
export async function spawnPostmaster(plan: PostmasterPlan, port: number): Promise<Postmaster> {
  await replaceStalePid(plan.cluster);
  await rotate(plan.logFile);
  const log = await open(plan.logFile, 'a+', 0o600);
  if (plan.account) await log.chown(plan.account.uid, plan.account.gid);
  const { size: begin } = await log.stat();
  // Detached: Ctrl-C in a terminal goes to the whole process group, and the server has to outlive the requests in flight.
  // A file for its messages rather than a pipe: it has to outlive us, too, when we are killed.
  const child = spawn(plan.binaries.postgres, serverArguments(plan, port), {
    ...inDataFolder(plan.cluster, plan.account).options,
    detached: true,
    stdio: ['ignore', log.fd, log.fd],
  });
  const gone = once(child, 'exit').then(async ([, signal]: unknown[]) => {
    const reason = typeof signal === 'string' ? signal : await reasonInLog(log, begin).catch(() => '');
    await log.close();
    return reason;
  });
  try {
    await Promise.race([once(child, 'spawn'), gone]);
  } catch (error) {
    await log.close();
    throw new DatabaseStartError(`PostgreSQL cannot be started (${systemErrorReason(error)}).`, {
      cause: error,
    });
  }
  return { pid: child.pid ?? 0, port, exited: gone, signal: (name) => void child.kill(name) };
}

/** A server that is not our child. */
function foreignPostmaster({ pid, port }: PidFile, identity: string): Postmaster {
  let isGone = false;
  const watch = async () => {
    while ((await processIdentity(pid)) === identity) await sleep(POLL_MS);
    isGone = true;
    return '';
  };
  const signal = (name: NodeJS.Signals) => {
    try {
      if (!isGone) process.kill(pid, name);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  };
  return { pid, port, exited: watch(), signal };
}

/**
 * The server that still runs on the cluster, because the service before us was killed. Undefined when there is none, or
 * when it was started with other programs or settings than we would use now: then it has been stopped.
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
  log(`stopping the database server that a former run left (process ${file.pid})`);
  await stopPostmaster(found, log);
  return undefined;
}

/** Fast shutdown: no new connections, open transactions are rolled back, everything is written. Waits until it is done. */
export async function stopPostmaster(postmaster: Postmaster, log: (line: string) => void): Promise<void> {
  const begin = Date.now();
  let isHurried = false;
  const progress = setInterval(() => {
    const waited = Date.now() - begin;
    log(`still waiting for the database server to stop (${Math.round(waited / 1000)} s)`);
    if (waited < STOP_MS || isHurried) return;
    isHurried = true;
    postmaster.signal('SIGQUIT');
  }, PROGRESS_MS);
  try {
    postmaster.signal('SIGINT');
    await postmaster.exited;
  } finally {
    clearInterval(progress);
  }
}
