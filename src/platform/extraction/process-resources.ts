import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Interval of the memory checks: reading `/proc` takes microseconds, `ps` starts a process. */
export const MEMORY_INTERVAL_MS = process.platform === 'linux' ? 25 : 500;

/** Resident memory of a process in bytes; null if it has ended or the system does not report it. */
export async function residentMemory(pid: number): Promise<number | null> {
  try {
    if (process.platform === 'linux') return residentMemoryInProc(pid);
    if (process.platform === 'win32') return null;
    const { stdout } = await run('ps', ['-o', 'rss=', '-p', String(pid)]);
    return Number(stdout.trim()) * 1024 || null;
  } catch {
    return null;
  }
}

/** Resident memory of a process and its descendants in bytes. Linux only; 0 elsewhere, and if they have ended. */
export function residentMemoryOfTree(pid: number): number {
  if (process.platform !== 'linux') return 0;
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').split(' ').filter(Boolean);
    return children.reduce(
      (sum, child) => sum + residentMemoryOfTree(Number(child)),
      residentMemoryInProc(pid) ?? 0,
    );
  } catch {
    return 0;
  }
}

/** Synchronous: `/proc` is in memory, and an asynchronous read could wait for reads of real files. */
function residentMemoryInProc(pid: number): number | null {
  const status = readFileSync(`/proc/${pid}/status`, 'latin1');
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
  return kilobytes === undefined ? null : Number(kilobytes) * 1024;
}

/** Without privileges, Linux allows one change of a group's priority in this time, in the whole system. */
const GROUP_PRIORITY_INTERVAL_MS = 100;

/**
 * Lowers the processor priority of the process, and makes it the first candidate of the out-of-memory killer, to protect
 * the service and the database. The process must have its own session (`detached`). Ignores failures, because not every
 * system allows it.
 */
export function lowerPriority(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
    if (process.platform !== 'linux') return;
    writeFileSync(`/proc/${pid}/oom_score_adj`, '1000');
    lowerGroupPriority(pid);
  } catch {
    // The process has ended, or the system does not allow the change.
  }
}

/**
 * Linux gives each session the same processor time (sched(7), autogroup), and applies the priority of a process only
 * within its session: a process with a session of its own would get as much as the service.
 */
function lowerGroupPriority(pid: number, attempts = 20): void {
  try {
    writeFileSync(`/proc/${pid}/autogroup`, String(constants.priority.PRIORITY_BELOW_NORMAL));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EAGAIN' || attempts === 0) return;
    setTimeout(() => lowerGroupPriority(pid, attempts - 1), GROUP_PRIORITY_INTERVAL_MS).unref();
  }
}
