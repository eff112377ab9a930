import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { chmod, chown, mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Readable, Transform, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ExtractionError } from '../reading/extraction-error.js';
import { type ExtractionFailure, ReadingFailed } from '../extractor.js';
import { type Isolation } from '../isolation.js';
import { lowerPriority } from '../process-resources.js';
import { type ConversionRequest, Converter } from './converter.js';
import { PROFILE } from './libreoffice-profile.js';

const MIB = 1024 * 1024;
/** Maximum size of a file that LibreOffice writes, in bytes. */
const MAX_FILE = 512 * MIB;
/** Maximum virtual memory, in bytes. LibreOffice needs 700 MiB for a small file. */
const MAX_MEMORY = 2048 * MIB;
const MAX_STDERR = 4096;
const FOLDER_PREFIX = 'filing-conversion-';
/** No conversion takes that long. */
const LEFTOVER_AGE_MS = 60 * 60_000;

/**
 * Runs inside the isolation. The bytes come from standard input and go to standard output: the service never opens a
 * path that a hostile file could have replaced by a link. LibreOffice ends with 81 after it has made a new profile.
 */
const SCRIPT = `
cd "$HOME" && mkdir -p profile/user out && printf %s "$4" >profile/user/registrymodifications.xcu &&
  cat >"in.$2" || exit 70
convert() {
  "$1" --headless --norestore --nologo --nodefault --nolockcheck --nofirststartwizard \\
    "-env:UserInstallation=file://$HOME/profile" --convert-to "$3" --outdir out "in.$2" </dev/null >&2
}
convert "$@"
status=$?
if [ "$status" = 81 ]; then convert "$@"; status=$?; fi
if [ -s "out/in.$3" ]; then exec cat "out/in.$3"; fi
exit "$status"`;

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

/** Converts each file in a new isolated process with a new profile. */
export class LibreOffice extends Converter {
  /** @param program path of soffice.bin */
  constructor(
    private readonly program: string,
    private readonly isolation: Isolation,
    private readonly debug: (message: string) => void = () => undefined,
  ) {
    super();
  }

  override async convert<T>(
    request: ConversionRequest,
    use: (path: string) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<{ result: T; failure: null } | { result: null; failure: ExtractionFailure }> {
    signal?.throwIfAborted();
    const folder = await mkdtemp(path.join(tmpdir(), FOLDER_PREFIX));
    try {
      const file = path.join(folder, 'result');
      await this.#run(request, await this.#home(folder), file, signal);
      return { result: await use(file), failure: null };
    } catch (error) {
      if (!(error instanceof ExtractionError)) throw error;
      this.debug(`A file was not converted from ${request.from} to ${request.to}: ${error.message}`);
      return { result: null, failure: error.failure };
    } finally {
      await this.#remove(folder);
    }
  }

  /** Removes what earlier instances left when they were killed. */
  async removeLeftovers(): Promise<void> {
    for (const name of await readdir(tmpdir())) {
      if (!name.startsWith(FOLDER_PREFIX)) continue;
      const folder = path.join(tmpdir(), name);
      const { mtimeMs } = await stat(folder);
      if (mtimeMs < Date.now() - LEFTOVER_AGE_MS) await this.#remove(folder);
    }
  }

  /**
   * Writes the result to `file`.
   *
   * @throws ExtractionError
   */
  async #run(
    { open, from, to, timeMs, maxBytes }: ConversionRequest,
    home: string,
    file: string,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const time = AbortSignal.timeout(timeMs);
    const child = this.#start(home, [this.program, from, to, PROFILE], timeMs);
    const kill = () => killGroup(child);
    const stop = signal ? AbortSignal.any([signal, time]) : time;
    stop.addEventListener('abort', kill, { once: true });
    const closed = closeOf(child);
    let detail = '';
    child.stderr.on('data', (chunk: Buffer) => {
      detail = (detail + chunk.toString()).slice(-MAX_STDERR);
    });
    try {
      await Promise.all([
        pipeline(await open(), child.stdin).catch((error: unknown) => {
          if (!hasEndedEarly(child, error)) throw error;
        }),
        pipeline(child.stdout, limited(maxBytes), createWriteStream(file, { mode: 0o600 })),
      ]);
    } catch (error) {
      if (!stop.aborted) throw error;
    } finally {
      kill();
      stop.removeEventListener('abort', kill);
    }
    const { code, signal: killedBy } = await closed;
    signal?.throwIfAborted();
    if (time.aborted || killedBy === 'SIGXCPU')
      throw new ExtractionError('TimeLimitExceeded', `${timeMs} ms`);
    if (code === 70 || code === 126 || code === 127)
      throw new ReadingFailed(`LibreOffice does not run: ${detail}`);
    if ((await stat(file)).size === 0)
      throw new ExtractionError('Corrupted', `exit code ${code ?? killedBy}: ${detail}`);
  }

  /** Makes the folder in which the process works, as the user of the process. */
  async #home(folder: string): Promise<string> {
    const { user } = this.isolation;
    const home = path.join(folder, 'home');
    await mkdir(home, { mode: 0o700 });
    if (user) {
      await chmod(folder, 0o711);
      await chown(home, user.uid, user.gid);
    }
    return home;
  }

  #start(home: string, args: readonly string[], timeMs: number): Child {
    const { wrapper, user, switchUserAt } = this.isolation;
    const kib = (bytes: number) => Math.floor(bytes / 1024);
    const limits = [
      'ulimit -c 0',
      `ulimit -v ${kib(MAX_MEMORY)}`,
      // In blocks of 512 bytes.
      `ulimit -f ${kib(MAX_FILE) * 2}`,
      `ulimit -t ${Math.ceil(timeMs / 1000) * 2}`,
    ];
    const child = spawn(
      '/bin/sh',
      ['-c', `${limits.join('; ')}; exec "$@"`, 'sh', ...wrapper, '/bin/sh', '-c', SCRIPT, 'sh', ...args],
      {
        ...(switchUserAt === 'start' ? user : null),
        cwd: '/',
        // Not the environment of the service, which contains passwords.
        env: { HOME: home, TMPDIR: home, PATH: process.env.PATH, LANG: 'C.UTF-8', SAL_USE_VCLPLUGIN: 'svp' },
        stdio: ['pipe', 'pipe', 'pipe'],
        detached: true,
      },
    );
    if (child.pid !== undefined) lowerPriority(child.pid);
    return child;
  }

  /** The user of the process removes its files: it could have made links instead of folders. */
  async #remove(folder: string): Promise<void> {
    const { user } = this.isolation;
    if (user) {
      const removal = spawn('rm', ['-rf', path.join(folder, 'home')], { ...user, stdio: 'ignore' });
      await once(removal, 'close').catch(() => undefined);
    }
    await rm(folder, { recursive: true, force: true });
  }
}

/** All processes of the program are in its group. */
function killGroup({ pid }: Child): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

/** @throws ReadingFailed when the process could not be started */
async function closeOf(child: Child): Promise<{ code: number | null; signal: NodeJS.Signals | null }> {
  return new Promise((resolve, reject) => {
    child.on('error', (error) => reject(new ReadingFailed(`LibreOffice does not run: ${error.message}`)));
    child.on('close', (code, signal) => resolve({ code, signal }));
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
