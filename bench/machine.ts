import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import os from 'node:os';

/** CPU cores for the server and for everything else (load, PostgreSQL). */
export interface Cores {
  readonly server: number;
  readonly rest: number;
}

/**
 * Chooses one core for the server and one for load and database, so that they do not compete, and results of machines
 * with more cores stay comparable. Avoids two logical cores of one physical core if possible. Null without pinning.
 */
export function findCores(): Cores | null {
  if (process.platform !== 'linux' || spawnSync('taskset', ['--version']).status !== 0) return null;
  const allowed = /^Cpus_allowed_list:\s*(.*)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '';
  const cores = allowed.split(',').flatMap((range) => {
    const [from = 0, to = from] = range.split('-').map(Number);
    return Array.from({ length: to - from + 1 }, (_, index) => from + index);
  });
  const [server, ...others] = cores;
  if (server === undefined || others.length === 0) return null;
  const rest = others.find((core) => physicalCore(core) !== physicalCore(server)) ?? others[0];
  return rest === undefined ? null : { server, rest };
}

function physicalCore(core: number): string {
  const topology = `/sys/devices/system/cpu/cpu${core}/topology`;
  try {
    const read = (name: string) => readFileSync(`${topology}/${name}`, 'utf8').trim();
    return `${read('physical_package_id')}/${read('core_id')}`;
  } catch {
    return String(core);
  }
}

/** Pins this process with all its threads. Processes started later (the database) inherit that. */
export function pinSelf(cores: Cores | null): void {
  if (cores)
    execFileSync('taskset', ['-a', '-c', '-p', String(cores.rest), String(process.pid)], { stdio: 'ignore' });
}

/** The command line that runs `command` pinned to the core of the server; unchanged without pinning. */
export function pinned(cores: Cores | null, command: readonly [string, ...string[]]): [string, ...string[]] {
  return cores ? ['taskset', '-c', String(cores.server), ...command] : [...command];
}

/** Resident memory of a process in MiB, now and at its maximum. NaN when unknown. Without /proc, `peak` is the current value. */
export function memoryOf(pid: number): { now: number; peak: number } {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const read = (name: string) => Number(new RegExp(`^${name}:\\s*(\\d+) kB`, 'm').exec(status)?.[1]) / 1024;
    return { now: read('VmRSS'), peak: read('VmHWM') };
  } catch {
    const { stdout } = spawnSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' });
    const now = Number(stdout?.trim() || Number.NaN) / 1024;
    return { now, peak: now };
  }
}

const TICKS_PER_SECOND = 100;

/** CPU time of a process in seconds; NaN when unknown. */
export function processorTimeOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // Fields 14 and 15, utime and stime. The second field, the name of the program, can contain spaces.
    const [user = 0, system = 0] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13)
      .map(Number);
    return (user + system) / TICKS_PER_SECOND;
  } catch {
    return Number.NaN;
  }
}

export function describeMachine() {
  return {
    processor: os.cpus()[0]?.model ?? 'unknown',
    cores: os.cpus().length,
    memoryGiB: Math.round(os.totalmem() / 2 ** 30),
    system: `${os.type()} ${os.release()}`,
    node: process.version,
    /** One-minute load average before the run. */
    loadBefore: Math.round((os.loadavg()[0] ?? 0) * 100) / 100,
  };
}
