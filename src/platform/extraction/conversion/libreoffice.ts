import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Readable, Transform, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type OnApplicationShutdown } from '@nestjs/common';
import { ReadingFailed } from '../extractor.js';
import { ProcessorTimeLimit, lowerPriority, residentMemoryOfTree } from '../process-resources.js';
import { ExtractionError } from '../reading/extraction-error.js';
import { type Conversion, type ConversionRequest, type Converter, type UseResult } from './converter.js';
import { SANDBOX_FILES, type Sandbox } from './sandbox.js';

const SETTINGS: readonly (readonly [path: string, name: string, value: string | number | boolean])[] = [
  // No macros, whatever the file says about them.
  ['Office.Common/Security/Scripting', 'DisableMacrosExecution', true],
  ['Office.Common/Security/Scripting', 'MacroSecurityLevel', 3],
  ['Office.Common/Security/Scripting', 'CheckDocumentEvents', true],
  // 0 in Writer and 1 in Calc mean never. Pictures of fills, backgrounds and bullets are read nevertheless: see sandbox.ts.
  ['Office.Common/Security/Scripting', 'BlockUntrustedRefererLinks', true],
  ['Office.Writer/Content/Update', 'Link', 0],
  ['Office.Writer/Content/Update', 'Field', false],
  ['Office.Calc/Content/Update', 'Link', 1],
];

/** The settings of each new profile (registrymodifications.xcu). */
const PROFILE = `<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema">
${SETTINGS.map(([path, name, value]) => `<item oor:path="/org.openoffice.${path}"><prop oor:name="${name}" oor:op="fuse"><value>${value}</value></prop></item>`).join('\n')}
</oor:items>
`;

const MIB = 1024 * 1024;
/** Maximum size of a file to convert, in bytes. */
const MAX_FILE = 128 * MIB;
/** Maximum virtual memory, in bytes. LibreOffice needs 700 MiB for a small file. */
const MAX_VIRTUAL_MEMORY = 2048 * MIB;
/** Maximum resident memory, in bytes. */
const MAX_RESIDENT_MEMORY = 600 * MIB;
/** How often memory and processor time are measured. */
const CHECK_INTERVAL_MS = 50;
const MAX_STDERR = 4096;
/** The PATH of ordinary users may lack the folder of pivot_root. */
const SYSTEM_PATH = '/usr/sbin:/usr/bin:/sbin:/bin';

/** Exit codes of SCRIPT. */
const NO_RESULT = 65;
const NOT_STARTED = 70;
/** The shell adds 128 to the number of the signal: SIGXCPU and SIGXFSZ. */
const NO_PROCESSOR_TIME = 128 + 24;
const TOO_LARGE_FILE = 128 + 25;
/** Killed from outside (SIGKILL), or not started: says nothing about the file. */
const UNRELATED = [128 + 9, 126, 127];

/**
 * The bytes come from standard input and go to standard output. LibreOffice ends with 81 after it has made a new profile.
 * In the sandbox, it cannot find its libraries by /proc.
 */
const SCRIPT = `
cd "$HOME" && mkdir -p profile/user out && printf %s "$4" >profile/user/registrymodifications.xcu &&
  cat >"in.$2" || exit ${NOT_STARTED}
convert() {
  LD_LIBRARY_PATH="\${1%/*}" "$1" --headless --norestore --nologo --nodefault --nolockcheck --nofirststartwizard \\
    "-env:UserInstallation=file://$HOME/profile" --convert-to "$3" --outdir out "in.$2" </dev/null >&2
}
convert "$@"
status=$?
if [ "$status" = 81 ]; then convert "$@"; status=$?; fi
if [ -s "out/in.$3" ]; then exec cat "out/in.$3"; fi
case "$status" in ${[...UNRELATED, NO_PROCESSOR_TIME, TOO_LARGE_FILE].join(' | ')}) exit "$status" ;; esac
echo "LibreOffice ended with $status." >&2
exit ${NO_RESULT}`;

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

/** Converts each file in a new process with a new profile. */
export class LibreOffice implements Converter, OnApplicationShutdown {
  readonly #closing = new AbortController();

  /**
   * @param program path of soffice.bin
   * @param sandbox null to run it like any other program
   */
  constructor(
    readonly program: string,
    private readonly sandbox: Sandbox | null,
    private readonly debug: (message: string) => void = () => undefined,
    private readonly maxMemory = MAX_RESIDENT_MEMORY,
  ) {}

  /** Packages set the time of the program. */
  get version(): string {
    return `libreoffice ${statSync(this.program, { throwIfNoEntry: false })?.mtimeMs ?? 0}`;
  }

  async convert<T>(
    request: ConversionRequest,
    use: UseResult<T>,
    signal?: AbortSignal,
  ): Promise<Conversion<T>> {
    const closing = this.#closing.signal;
    const stop = signal ? AbortSignal.any([signal, closing]) : closing;
    const folder = this.sandbox ? null : await mkdtemp(path.join(tmpdir(), 'filing-conversion-'));
    try {
      return { result: await this.#run(request, use, folder ?? '/tmp', stop), failure: null };
    } catch (error) {
      if (!(error instanceof ExtractionError)) throw error;
      this.debug(`A file was not converted from ${request.from} to ${request.to}: ${error.message}`);
      return { result: null, failure: error.failure };
    } finally {
      if (folder !== null) await rm(folder, { recursive: true, force: true });
    }
  }

  /** Ends all conversions. */
  onApplicationShutdown(): void {
    this.#closing.abort(new Error('The service is stopping.'));
  }

  /** @throws ExtractionError, and what `convert` throws */
  async #run<T>(
    { size, open, from, to, timeMs, maxBytes }: ConversionRequest,
    use: UseResult<T>,
    home: string,
    signal: AbortSignal,
  ): Promise<T> {
    signal.throwIfAborted();
    if (size > MAX_FILE) throw new ExtractionError('OutputLimitExceeded', `the file has ${size} bytes`);
    const overtime = new AbortController();
    const stop = AbortSignal.any([signal, overtime.signal]);
    const child = this.#start(home, [this.program, from, to, PROFILE], timeMs);
    const ended = endOf(child);
    const { pid } = child;
    if (pid === undefined) return ended.then(unexpected);
    const time = new ProcessorTimeLimit(pid, timeMs);
    let memory = 0;
    const timer = setInterval(() => {
      memory = Math.max(memory, residentMemoryOfTree(pid));
      if (memory > this.maxMemory) kill(child);
      if (time.isExceeded) overtime.abort();
    }, CHECK_INTERVAL_MS);
    const onAbort = () => kill(child);
    stop.addEventListener('abort', onAbort, { once: true });
    const [outcome] = await Promise.allSettled([
      exchange(child, openUntil(stop, open), limited(maxBytes), use),
    ]);
    const end = await ended;
    stop.removeEventListener('abort', onAbort);
    clearInterval(timer);
    signal.throwIfAborted();
    if (memory > this.maxMemory) throw new ExtractionError('MemoryLimitExceeded', `${memory} bytes`);
    if (overtime.signal.aborted || end.code === NO_PROCESSOR_TIME)
      throw new ExtractionError('TimeLimitExceeded', `${timeMs} ms`);
    if (outcome.status === 'rejected') throw outcome.reason;
    if (end.code === TOO_LARGE_FILE) throw new ExtractionError('OutputLimitExceeded', 'a temporary file');
    if (end.code === NO_RESULT) throw new ExtractionError('Corrupted', end.stderr);
    if (end.code !== 0) return unexpected(end);
    return outcome.value;
  }

  #start(home: string, args: readonly string[], timeMs: number): Child {
    const { wrapper, user } = this.sandbox ?? { wrapper: [], user: null };
    const kib = (bytes: number) => Math.floor(bytes / 1024);
    const limits = [
      'ulimit -c 0',
      `ulimit -v ${kib(MAX_VIRTUAL_MEMORY)}`,
      // In blocks of 512 bytes.
      `ulimit -f ${kib(SANDBOX_FILES) * 2}`,
      `ulimit -t ${Math.ceil(timeMs / 1000) * 2}`,
    ];
    const command = [...wrapper, '/bin/sh', '-c', SCRIPT, 'sh', ...args];
    try {
      const child = spawn('/bin/sh', ['-c', `${limits.join('; ')}; exec "$@"`, 'sh', ...command], {
        ...user,
        cwd: '/',
        // Not the environment of the service, which contains passwords.
        env: { HOME: home, TMPDIR: home, PATH: SYSTEM_PATH, LANG: 'C.UTF-8', SAL_USE_VCLPLUGIN: 'svp' },
        stdio: ['pipe', 'pipe', 'pipe'],
        detached: true,
      });
      if (child.pid !== undefined) lowerPriority(child.pid);
      return child;
    } catch (error) {
      throw new ReadingFailed(`A conversion does not start: ${(error as Error).message}`);
    }
  }
}

interface End {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stderr: string;
}

/** Resolves when the process has ended or could not be started; `stderr` then has the reason. Never rejects. */
function endOf(child: Child): Promise<End> {
  return new Promise((resolve) => {
    let stderr = '';
    // Without file descriptors, a process that was not started has no streams.
    (child.stderr as Readable | undefined)?.on('data', (chunk: Buffer) => {
      stderr = (stderr + chunk.toString()).slice(-MAX_STDERR);
    });
    child.on('error', ({ message }) => resolve({ code: null, signal: null, stderr: message }));
    child.on('close', (code, signal) => resolve({ code, signal, stderr }));
  });
}

function unexpected({ code, signal, stderr }: End): never {
  throw new ReadingFailed(`A conversion ended unexpectedly (${signal ?? `exit code ${code}`}): ${stderr}`);
}

/** Ends the process and all others in its group. */
function kill(child: Child): void {
  // Outside the sandbox, a process that has left the group could keep them open.
  for (const stream of child.stdio) stream?.destroy();
  try {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

/**
 * Writes the file to the process and passes its result to `use`. Kills the process if one of them fails.
 *
 * @throws what `open`, the file, `limit` or `use` throws
 */
async function exchange<T>(
  child: Child,
  opening: Promise<Readable>,
  limit: Transform,
  use: UseResult<T>,
): Promise<T> {
  const failed = (error: unknown): never => {
    kill(child);
    throw error;
  };
  const [sent, received] = await Promise.allSettled([
    opening
      .then((file) => pipeline(file, child.stdin))
      .catch((error: unknown) => (hasEndedEarly(child, error) ? undefined : failed(error))),
    pipeline(child.stdout, limit, use).catch(failed),
  ]);
  if (sent.status === 'rejected') throw sent.reason;
  if (received.status === 'rejected') throw received.reason;
  return received.value;
}

/** Opens the file. Does not wait for it after `stop`. */
function openUntil(stop: AbortSignal, open: ConversionRequest['open']): Promise<Readable> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(stop.reason as Error);
    stop.addEventListener('abort', onAbort, { once: true });
    if (stop.aborted) onAbort();
    const opening = async () => {
      const file = await open();
      stop.removeEventListener('abort', onAbort);
      if (stop.aborted) file.destroy();
      else resolve(file);
    };
    opening().catch(reject);
  });
}

/** Whether the program has ended before it has read the whole file. */
function hasEndedEarly({ exitCode, signalCode }: Child, error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'EPIPE' || exitCode !== null || signalCode !== null;
}

/** Passes at most this number of bytes. */
function limited(bytes: number): Transform {
  let left = bytes;
  return new Transform({
    transform(chunk: Buffer, _, done) {
      left -= chunk.length;
      if (left < 0) done(new ExtractionError('OutputLimitExceeded', `more than ${bytes} bytes`));
      else done(null, chunk);
    },
  });
}
