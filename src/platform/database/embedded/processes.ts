import { execFile, type ExecFileOptions } from 'node:child_process';
import { readFile, readlink } from 'node:fs/promises';
import { promisify } from 'node:util';

/** Returns the standard output. Rejects when the program cannot be run or fails. */
export async function run(
  program: string,
  args: readonly string[],
  { input, ...options }: ExecFileOptions & { input?: string } = {},
): Promise<string> {
  const running = promisify(execFile)(program, args, { ...options, encoding: 'utf8' });
  const { stdin } = running.child;
  stdin?.on('error', () => undefined); // The program ended without reading its input; the exit code decides.
  stdin?.end(input);
  return (await running).stdout;
}

/**
 * A column of `ps` for a process, on systems without /proc. Time zone and locale are fixed, so that times are
 * comparable.
 */
function ps(pid: number, column: string): Promise<string | undefined> {
  return run('ps', ['-o', `${column}=`, '-p', String(pid)], {
    env: { ...process.env, TZ: 'UTC', LC_ALL: 'C' },
  }).then(
    (text) => text.trim() || undefined,
    () => undefined,
  );
}

function isSignalable(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * Identifies a process even if its id is used again later: the start time, and on Linux the boot that the time is
 * relative to. Undefined when there is no such process. A zombie counts as ended.
 */
export async function processIdentity(pid: number): Promise<string | undefined> {
  if (!isSignalable(pid)) return undefined;
  if (process.platform === 'linux') {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
    if (stat === undefined) return undefined;
    // The second field, the program's name in parentheses, can contain spaces and parentheses.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z' || fields[0] === 'X') return undefined;
    const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '');
    return `${boot.trim()}/${fields[19]}`;
  }
  if ((await ps(pid, 'stat'))?.startsWith('Z')) return undefined;
  return (await ps(pid, 'lstart')) ?? 'running';
}

/** Command line of a process, its arguments joined by spaces. */
export async function processCommand(pid: number): Promise<string | undefined> {
  if (process.platform !== 'linux') return ps(pid, 'command');
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => undefined);
  return command?.split('\0').join(' ').trim() || undefined;
}

/** Linux only; undefined on other systems. */
export async function processDirectory(pid: number): Promise<string | undefined> {
  if (process.platform !== 'linux') return undefined;
  return readlink(`/proc/${pid}/cwd`).catch(() => undefined);
}
