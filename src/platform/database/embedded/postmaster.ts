import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type FileHandle, open, readFile, rename, stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startError } from './database-start-error.js';
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

/** A server process that this process has started. */
export interface Postmaster {
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

/** The process id in PostgreSQL's lock file, its first line (negative in single-user mode); 0 without one. */
async function lockedPid(cluster: string): Promise<number> {
  const text = await readFile(path.join(cluster, 'postmaster.pid'), 'utf8').catch(() => '');
  return Math.abs(Number.parseInt(text, 10)) || 0;
}

/** Whether the process is a server of the cluster. Its id may belong to another program by now. */
async function isServerOf(pid: number, cluster: string): Promise<boolean> {
  if ((await processDirectory(pid)) === cluster) return true;
  return (await processCommand(pid))?.includes(` -D ${cluster} -p `) ?? false;
}

/** Stops the server that is still running on the cluster because the previous service was killed. */
export async function stopLeftServer(cluster: string, log: (line: string) => void): Promise<void> {
  const pid = await lockedPid(cluster);
  const identity = pid ? await processIdentity(pid) : undefined;
  if (identity === undefined || !(await isServerOf(pid, cluster))) return;
  log(`stopping the database server that was still running (process ${pid})`);
  const waitForEnd = async () => {
    while ((await processIdentity(pid)) === identity) await sleep(POLL_MS);
  };
  await stopPostmaster({ exited: waitForEnd(), signal: (name) => void process.kill(pid, name) }, log);
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
  await rotate(plan.logFile);
  const log = await open(plan.logFile, 'a+', 0o600);
  if (plan.account) await log.chown(plan.account.uid, plan.account.gid);
  const { size: begin } = await log.stat();
  // Detached, because Ctrl-C in a terminal signals the whole process group, and the server must run until the
  // requests in flight are answered. A log file instead of a pipe, because the server continues when this process is
  // killed.
  const { options } = inDataFolder(plan.cluster, plan.account);
  const child = spawn(plan.binaries.postgres, serverArguments(plan, port), {
    ...options,
    // PostgreSQL ignores the lock file of a server that has ended, except when its process id now belongs to another
    // program or to a zombie (containers without an init process). It also ignores its own ancestors, which pg_ctl
    // passes in this variable. It still checks that no backend of the previous server is running.
    env: { ...options.env, PG_GRANDPARENT_PID: String(await lockedPid(plan.cluster)) },
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
    throw startError('PostgreSQL cannot be started', error);
  }
  return { port, exited, signal: (name) => void child.kill(name) };
}

/** Stops the server by a fast shutdown: rolls back open transactions and writes all data. Waits for the end. */
export async function stopPostmaster(
  postmaster: { readonly exited: Promise<unknown>; signal(name: NodeJS.Signals): void },
  log: (line: string) => void,
): Promise<void> {
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
