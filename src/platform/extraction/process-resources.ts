import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Interval of the checks of memory and time: reading `/proc` takes microseconds, `ps` starts a process. */
export const CHECK_INTERVAL_MS = process.platform === 'linux' ? 25 : 500;

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
  return sumOfTree(pid, (one) => residentMemoryInProc(one) ?? 0);
}

/** Sum of a value of the process and its descendants. Linux only; 0 elsewhere, and if they have ended. */
function sumOfTree(pid: number, valueOf: (pid: number) => number): number {
  if (process.platform !== 'linux') return 0;
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').split(' ').filter(Boolean);
    return children.reduce((sum, child) => sum + sumOfTree(Number(child), valueOf), valueOf(pid));
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

/** The unit of times in `/proc`: a hundredth of a second, whatever the kernel uses itself. */
const TICK_MS = 10;
/** How many times its limit of processor time a process may take by the clock. */
const CLOCK_FACTOR = 4;

/**
 * Limits the processor time of a process and its descendants from the construction on, in milliseconds. The time of the
 * clock is no measure on Linux: while the machine is busy with something else, a process of low priority waits. On other
 * systems, the time of the clock counts.
 */
export class ProcessorTimeLimit {
  private readonly begin = performance.now();
  private readonly before: number;

  constructor(
    private readonly pid: number,
    private readonly limitMs: number,
  ) {
    this.before = processorTimeOfTree(pid);
  }

  /** Also after four times the limit by the clock: a process can hang. */
  get isExceeded(): boolean {
    const elapsed = performance.now() - this.begin;
    if (elapsed < this.limitMs) return false;
    if (elapsed >= CLOCK_FACTOR * this.limitMs || process.platform !== 'linux') return true;
    return processorTimeOfTree(this.pid) - this.before >= this.limitMs;
  }
}

/** Processor time in milliseconds, including that of descendants that have ended. */
function processorTimeOfTree(pid: number): number {
  return sumOfTree(pid, (one) => {
    // The name of the program, in parentheses, can contain anything; the times are the 12th to 15th value after it.
    const [, values = ''] = readFileSync(`/proc/${one}/stat`, 'latin1').split(/^.*\) /s);
    const times = values.split(' ').slice(11, 15);
    return times.reduce((sum, time) => sum + Number(time), 0) * TICK_MS;
  });
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
