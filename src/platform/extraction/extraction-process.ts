import { type ChildProcess, spawn } from 'node:child_process';
import { type Socket } from 'node:net';
import { type ExtractionLimits } from './extraction-limits.js';
import { type ExtractionFailure, ReadingFailed } from './extractor.js';
import { InputFile } from './input-file.js';
import { type CommandLine, PDF_FOLDER } from './isolation.js';
import {
  CHANNEL_DESCRIPTOR,
  type FileMessage,
  LineSplitter,
  MAX_MESSAGE,
  type ReadingJob,
  type ReadingMessage,
  readMessage,
} from './messages.js';
import { CHECK_INTERVAL_MS, ProcessorTimeLimit, lowerPriority, residentMemory } from './process-resources.js';
import { type ReadingTask, UnexpectedMessage } from './reading-task.js';

/** A normal start takes 0.25 seconds; a machine under heavy load may need far longer. */
const START_TIMEOUT_MS = 60_000;
const MAX_JOBS = 100;
const MAX_STDERR = 4096;
/** Each received chunk counts as at least this number of bytes, because many small chunks cost time. */
const MIN_CHUNK = 1024;

/** Signals of a process that native code has crashed. Not SIGKILL, which comes from outside. */
const CRASHES: readonly (NodeJS.Signals | null)[] = [
  'SIGSEGV',
  'SIGBUS',
  'SIGILL',
  'SIGFPE',
  'SIGABRT',
  'SIGTRAP',
];

interface Running {
  readonly job: number;
  readonly task: Pick<ReadingTask<unknown>, 'order' | 'maxBytes' | 'metadata' | 'copyTo'>;
  /** Size of the file in bytes; null until it has been copied for the process. */
  size: number | null;
  readonly receive: (message: FileMessage) => void;
  readonly endedBy: (failure: ExtractionFailure) => void;
  readonly reject: (reason: Error) => void;
}

interface ProcessOptions {
  /** Owner of all files that this process reads. */
  readonly owner: string;
  readonly limits: ExtractionLimits;
  readonly commandLine: CommandLine;
  /** Environment variables of the process. */
  readonly environment: NodeJS.ProcessEnv;
  /** Folder for the input file of the process, which has no name there. Default: the temporary folder. */
  readonly folder?: string | undefined;
}

/** One process that reads files one at a time. It is killed when it exceeds a limit. */
export class ExtractionProcess {
  readonly #child: ChildProcess;
  /** Undefined if the process could not be started. Not Node's `ipc` channel: that parses messages of any size. */
  readonly #channel: Socket | undefined;
  readonly #lines = new LineSplitter();
  readonly #startTimer: NodeJS.Timeout;
  #checks: NodeJS.Timeout | undefined;
  #started = false;
  #current: Running | null = null;
  #jobs = 0;
  #cpuSeconds = 0;
  /** Bytes received from the process for the current file. */
  #received = 0;
  /** Maximum of `received`. Before its first file, a process has only one short message to send. */
  #maxBytes = MAX_MESSAGE;
  #stderr = '';
  #hasEnded = false;
  #endReason = 'A reading process has ended';

  readonly owner: string;
  private readonly limits: ExtractionLimits;

  static async start(options: ProcessOptions): Promise<ExtractionProcess> {
    const file = await InputFile.create(options.folder);
    try {
      return new ExtractionProcess(options, file);
    } finally {
      await file.closeDescriptor();
    }
  }

  private constructor(
    { owner, limits, commandLine, environment }: ProcessOptions,
    private readonly file: InputFile,
  ) {
    this.owner = owner;
    this.limits = limits;
    const { command, args, user } = commandLine;
    this.#child = spawn(command, args, {
      ...user,
      cwd: PDF_FOLDER,
      // Not the environment of the service, which contains passwords.
      env: environment,
      // The last two are CHANNEL_DESCRIPTOR and FILE_DESCRIPTOR.
      stdio: ['ignore', 'ignore', 'pipe', 'pipe', file.descriptor],
      // In its own process group: it can be killed together with its children, and gets no SIGINT on Ctrl-C.
      detached: true,
      windowsHide: true,
    });
    if (this.#child.pid !== undefined) lowerPriority(this.#child.pid);
    this.#child.stderr?.on('data', (chunk: Buffer) => {
      this.#stderr = (this.#stderr + chunk.toString('latin1')).slice(-MAX_STDERR);
      this.#countBytes(chunk);
    });
    this.#channel = (this.#child.stdio as (Socket | undefined)[] | undefined)?.[CHANNEL_DESCRIPTOR];
    this.#channel?.on('data', (chunk: Buffer) => this.#receive(chunk));
    // Errors mean that the process has ended, which the event "close" reports.
    this.#channel?.on('error', () => undefined);
    this.#child.on('error', (error) => this.#failCurrent(`A reading process failed: ${error.message}`));
    // Not "exit": at "close", all messages sent before the end have been received.
    this.#child.on('close', (code, signal) => this.#onClose(code, signal));
    this.#startTimer = setTimeout(
      () => this.#failCurrent(this.#describe(`did not start within ${START_TIMEOUT_MS / 1000} seconds`)),
      START_TIMEOUT_MS,
    ).unref();
    // An idle process must not keep the service running; see run().
    this.#child.unref();
    (this.#child.stderr as Socket | null)?.unref();
    this.#channel?.unref();
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  async needsReplacement(): Promise<boolean> {
    if (this.#jobs >= MAX_JOBS || this.#cpuSeconds * 1000 > this.limits.timeMs) return true;
    const memory = this.pid === undefined ? null : await residentMemory(this.pid);
    return memory !== null && memory > this.limits.memory / 2;
  }

  /**
   * Reads one file. An abort kills the process and rejects with the signal's reason.
   *
   * @throws ReadingFailed
   */
  async run<T>(task: ReadingTask<T>, signal?: AbortSignal): Promise<T> {
    if (this.#hasEnded) throw new ReadingFailed(this.#endReason);
    this.#child.ref();
    this.#channel?.ref();
    const onAbort = (): void => this.#onAbort(signal?.reason);
    signal?.addEventListener('abort', onAbort, { once: true });
    try {
      return await new Promise<T>((resolve, reject) => {
        const running: Running = {
          job: ++this.#jobs,
          task,
          size: null,
          receive: (message) => {
            const result = task.receive(message);
            if (result !== undefined) resolve(result);
          },
          endedBy: (failure) => resolve(task.endedBy(failure)),
          reject,
        };
        this.#current = running;
        this.#copyFile(running).catch(reject);
      });
    } finally {
      if (!this.#hasEnded) await this.file.clear();
      clearInterval(this.#checks);
      signal?.removeEventListener('abort', onAbort);
      this.#current = null;
      this.#child.unref();
      this.#channel?.unref();
    }
  }

  kill(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    clearTimeout(this.#startTimer);
    void this.file.close().catch(() => undefined);
    this.#channel?.destroy();
    this.#child.stderr?.destroy();
    if (this.pid !== undefined) {
      try {
        // The whole group, so that a running tesseract ends too.
        process.kill(process.platform === 'win32' ? this.pid : -this.pid, 'SIGKILL');
      } catch {
        this.#child.kill('SIGKILL');
      }
    }
  }

  async #copyFile(running: Running): Promise<void> {
    running.size = await running.task.copyTo(this.file);
    if (this.#started) this.#sendJob(running);
  }

  #sendJob({ job, size, task }: Running): void {
    if (size === null) return;
    // Discard the error output for earlier files.
    this.#stderr = '';
    this.#received = 0;
    this.#maxBytes = task.maxBytes;
    const { pid } = this;
    if (pid !== undefined) {
      const time = new ProcessorTimeLimit(pid, this.limits.timeMs);
      this.#checks = setInterval(() => void this.#check(pid, time), CHECK_INTERVAL_MS);
    }
    const message: ReadingJob = { job, size, limits: this.limits, ...task.order };
    this.#channel?.write(`${JSON.stringify(message)}\n`);
  }

  #receive(chunk: Buffer): void {
    this.#countBytes(chunk);
    for (const line of this.#hasEnded ? [] : this.#lines.push(chunk)) this.#handleMessage(readMessage(line));
    if (this.#lines.pending > MAX_MESSAGE) this.#failCurrent(this.#describe('sent an invalid message'));
  }

  #countBytes(chunk: Buffer): void {
    this.#received += Math.max(chunk.length, MIN_CHUNK);
    const most = this.#maxBytes;
    if (this.#received > most) this.#failCurrent(this.#describe(`sent more than ${most} bytes`));
  }

  /** @param message null for an invalid message */
  #handleMessage(message: ReadingMessage | null): void {
    if (this.#hasEnded) return;
    const running = this.#current;
    if (!message) return this.#failCurrent(this.#describe('sent an invalid message'));
    if (message.kind === 'ready') {
      clearTimeout(this.#startTimer);
      if (this.#started) return;
      this.#started = true;
      if (running) this.#sendJob(running);
      return;
    }
    if (running?.job !== message.job) return;
    if (message.kind === 'error')
      return running.reject(new ReadingFailed(message.message, running.task.metadata));
    if ('cpuSeconds' in message) this.#cpuSeconds = message.cpuSeconds;
    try {
      running.receive(message);
    } catch (error) {
      if (!(error instanceof UnexpectedMessage)) throw error;
      this.#failCurrent(this.#describe(error.message));
    }
  }

  async #check(pid: number, time: ProcessorTimeLimit): Promise<void> {
    if (time.isExceeded) return this.#endWithFailure('TimeLimitExceeded');
    const memory = await residentMemory(pid);
    if (memory !== null && memory > this.limits.memory) this.#endWithFailure('MemoryLimitExceeded');
  }

  #endWithFailure(failure: ExtractionFailure): void {
    const running = this.#current;
    this.kill();
    running?.endedBy(failure);
  }

  #onAbort(reason: unknown): void {
    this.kill();
    this.#current?.reject(
      reason instanceof Error ? reason : new Error('Reading was aborted.', { cause: reason }),
    );
  }

  #failCurrent(message: string, hasCrashed = false): void {
    if (!this.#hasEnded) this.#endReason = message;
    this.kill();
    this.#current?.reject(new ReadingFailed(message, this.#current.task.metadata, hasCrashed));
  }

  #onClose(code: number | null, signal: NodeJS.Signals | null): void {
    const how = signal ?? `exit code ${code}`;
    if (!this.#started) this.#failCurrent(this.#describe(`did not start (${how})`));
    // V8 prints this before it ends the process with SIGABRT.
    else if (/heap out of memory|Allocation failed/.test(this.#stderr))
      this.#endWithFailure('MemoryLimitExceeded');
    // Limit of processor time (see commandLine).
    else if (signal === 'SIGXCPU') this.#endWithFailure('TimeLimitExceeded');
    // SIGKILL is not MemoryLimitExceeded: the out-of-memory killer prefers this process, whichever process uses the memory.
    else this.#failCurrent(this.#describe(`ended unexpectedly (${how})`), CRASHES.includes(signal));
  }

  #describe(what: string): string {
    const stderr = this.#stderr.trim();
    return `A reading process ${what}${stderr ? `: ${stderr}` : ''}`;
  }
}
