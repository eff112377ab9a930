import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** How often it is worth asking: `/proc` costs microseconds, `ps` a process. */
export const MEMORY_INTERVAL_MS = process.platform === 'linux' ? 25 : 500;

/** Resident memory of a process in bytes; null where it is gone, or the system does not tell. */
export async function residentMemory(pid: number): Promise<number | null> {
  try {
    if (process.platform === 'linux') {
      // Not a file on a disk: nothing to wait for, and it must not queue behind real files.
      const status = readFileSync(`/proc/${pid}/status`, 'latin1');
      const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
      return kilobytes === undefined ? null : Number(kilobytes) * 1024;
    }
    if (process.platform === 'win32') return null;
    const { stdout } = await run('ps', ['-o', 'rss=', '-p', String(pid)]);
    return Number(stdout.trim()) * 1024 || null;
  } catch {
    return null;
  }
}

/**
 * Makes the process give way: the service and the database come first for the processor, and when the machine runs out
 * of memory, this process is ended first. Only a precaution: not every system allows it.
 */
export function lowerPriority(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
    if (process.platform === 'linux') writeFileSync(`/proc/${pid}/oom_score_adj`, '1000');
  } catch {
    // The process has ended, or it may not be changed.
  }
}
