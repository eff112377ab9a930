import { type ChildProcess, spawn } from 'node:child_process';
import { type Socket } from 'node:net';
import path from 'node:path';
import { type Extraction, type ExtractionFailure, type ExtractionRequest } from './extractor.js';
import { type ExtractionLimits, type OcrSettings } from './extraction-limits.js';
import { commandLine } from './command-line.js';
import { type Known, type ReadingJob, type ReadingMessage, UNKNOWN, readMessage } from './messages.js';
import { MEMORY_INTERVAL_MS, offerToOutOfMemoryKiller, residentMemory } from './process-memory.js';

/** Starting takes a quarter of a second; this is for machines that have come to a standstill. */
const START_TIMEOUT_MS = 60_000;
const MAX_JOBS = 100;
const STDERR_KEPT = 4096;

export type Outcome =
  | { readonly kind: 'done'; readonly extraction: Extraction; readonly detail: string | null }
  /** The process is gone, and nobody knows why: it ended by itself, or somebody else ended it. */
  | { readonly kind: 'died'; readonly known: Known; readonly how: string; readonly killed: boolean }
  | { readonly kind: 'fault'; readonly error: Error };

interface Running {
  readonly job: number;
  known: Known;
  readonly settle: (outcome: Outcome) => void;
}

/** One process that reads files, one after the other, and is killed when a file makes it exceed a limit. */
export class ExtractionProcess {
  readonly #child: ChildProcess;
  readonly #ready: Promise<void>;
  #running: Running | null = null;
  #jobs = 0;
  #cpuSeconds = 0;
  #stderr = '';
  #gone = false;

  constructor(
    private readonly limits: ExtractionLimits,
    private readonly ocr: OcrSettings | null,
  ) {
    const { command, args } = commandLine(limits, ocr);
    this.#child = spawn(command, args, {
      // It writes nothing, and a read-only container has no other folder that is always there.
      cwd: path.parse(process.execPath).root,
      // Nothing of the service's environment: it has the passwords. These are for tesseract: where it and its data are.
      env: ocr
        ? {
            PATH: process.env.PATH,
            TESSDATA_PREFIX: process.env.TESSDATA_PREFIX,
            OMP_THREAD_LIMIT: '1',
          }
        : {},
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      // Of its own group: it is ended with what it started, and Ctrl-C is for the service to handle.
      detached: true,
      windowsHide: true,
    });
    if (this.#child.pid !== undefined) offerToOutOfMemoryKiller(this.#child.pid);
    this.#child.stderr?.on('data', (chunk: Buffer) => {
      this.#stderr = (this.#stderr + chunk.toString('latin1')).slice(-STDERR_KEPT);
    });
    this.#ready = this.#start();
    this.#ready.catch(() => undefined);
    // Only a job keeps the service from ending, see run().
    this.#child.unref();
    (this.#child.stderr as Socket | null)?.unref();
    this.#child.channel?.unref();
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  get gone(): boolean {
    return this.#gone;
  }

  /** Whether the next file should be read by a fresh process. */
  async worn(): Promise<boolean> {
    if (this.#jobs >= MAX_JOBS || this.#cpuSeconds * 1000 > this.limits.timeMs) return true;
    const memory = this.pid === undefined ? null : await residentMemory(this.pid);
    return memory !== null && memory > this.limits.memory / 2;
  }

  /** Reads one file. With an abort the process is killed, and the outcome is a fault with the signal's reason. */
  async run(request: ExtractionRequest, signal?: AbortSignal): Promise<Outcome> {
    this.#child.channel?.ref();
    const ended = new Promise<Outcome>((settle) => {
      this.#running = { job: ++this.#jobs, known: UNKNOWN, settle };
    });
    const timers: NodeJS.Timeout[] = [];
    const onAbort = (): void => this.#fault(signal?.reason);
    signal?.addEventListener('abort', onAbort, { once: true });
    try {
      const watch = this.#ready.then(
        () => {
          timers.push(
            setTimeout(() => this.#exceeded('TimeLimitExceeded'), this.limits.timeMs),
            setInterval(() => void this.#watchMemory(), MEMORY_INTERVAL_MS),
          );
          this.#send({ job: this.#jobs, request, limits: this.limits, ocr: this.ocr });
        },
        (error: unknown) => this.#fault(error),
      );
      const outcome = await ended;
      await watch;
      return outcome;
    } finally {
      for (const timer of timers) clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      this.#running = null;
      this.#child.channel?.unref();
    }
  }

  kill(): void {
    if (this.#gone) return;
    this.#gone = true;
    if (this.pid !== undefined) {
      try {
        // The group, so that a tesseract at work goes, too.
        process.kill(process.platform === 'win32' ? this.pid : -this.pid, 'SIGKILL');
      } catch {
        this.#child.kill('SIGKILL');
      }
    }
  }

  #start(): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        reject(new Error('A process that reads files has not started in time.'));
        this.kill();
      }, START_TIMEOUT_MS).unref();
      this.#child.on('message', (raw) => {
        const message = readMessage(raw, this.limits);
        if (message?.kind === 'ready') {
          clearTimeout(timer);
          resolve();
        } else if (message) this.#take(message);
        else this.#exceeded('Corrupted');
      });
      this.#child.on('error', (error) => {
        reject(error);
        this.#fault(error);
      });
      // Not "exit": what was sent before its end has arrived by now.
      this.#child.on('close', (code, signal) => {
        clearTimeout(timer);
        reject(
          new Error(
            `A process that reads files has not started: ${this.#stderr.trim() || String(signal ?? code)}`,
          ),
        );
        this.#closed(code, signal);
        this.kill();
      });
    });
  }

  #send(job: ReadingJob): void {
    // An error means that it is gone, which "close" tells.
    if (this.#child.connected) this.#child.send(job, () => undefined);
  }

  #take(message: Exclude<ReadingMessage, { kind: 'ready' }>): void {
    const running = this.#running;
    if (running?.job !== message.job) return;
    if (message.kind === 'known') running.known = message.known;
    else if (message.kind === 'fault') {
      running.settle({ kind: 'fault', error: new Error(message.message) });
    } else {
      this.#cpuSeconds = message.cpuSeconds;
      running.settle({ kind: 'done', extraction: message.extraction, detail: message.detail });
    }
  }

  async #watchMemory(): Promise<void> {
    const memory = this.pid === undefined ? null : await residentMemory(this.pid);
    if (memory !== null && memory > this.limits.memory) this.#exceeded('MemoryLimitExceeded');
  }

  #exceeded(failure: ExtractionFailure): void {
    const running = this.#running;
    this.kill();
    const extraction = running && { ...running.known, text: null, failure };
    if (extraction) running.settle({ kind: 'done', extraction, detail: 'ended by the service' });
  }

  #fault(reason: unknown): void {
    const running = this.#running;
    this.kill();
    running?.settle({
      kind: 'fault',
      error: reason instanceof Error ? reason : new Error('Reading was given up.', { cause: reason }),
    });
  }

  #closed(code: number | null, signal: NodeJS.Signals | null): void {
    const running = this.#running;
    if (!running) return;
    // What V8 says before it gives up, with SIGABRT.
    if (/heap out of memory|Allocation failed/.test(this.#stderr)) this.#exceeded('MemoryLimitExceeded');
    // Its share of the processor (see command-line.ts).
    else if (signal === 'SIGXCPU') this.#exceeded('TimeLimitExceeded');
    else {
      const how = `${signal ?? `code ${code}`} ${this.#stderr.trim()}`.trim();
      running.settle({ kind: 'died', known: running.known, how, killed: signal === 'SIGKILL' });
    }
  }
}
