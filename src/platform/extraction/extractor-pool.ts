import path from 'node:path';
import { type OnApplicationShutdown } from '@nestjs/common';
import { type CommandLine, commandLine } from './command-line.js';
import { type ExtractionLimits, type OcrSettings } from './extraction-limits.js';
import { ExtractionProcess } from './extraction-process.js';
import { type Extraction, type ExtractionRequest, Extractor } from './extractor.js';
import { isolation } from './isolation.js';

export interface PoolOptions {
  readonly processes: number;
  readonly limits: ExtractionLimits;
  readonly ocr: OcrSettings | null;
  /** Milliseconds after which an idle process is ended. Default: 30 seconds. */
  readonly idleMs?: number;
  /** Folder for the input files of the processes. Default: the temporary folder of the system. */
  readonly folder?: string;
  /** Command line of the processes. Default: the reading program. */
  readonly commandLine?: CommandLine;
  readonly debug?: (message: string) => void;
}

interface IdleProcess {
  readonly process: ExtractionProcess;
  readonly timer: NodeJS.Timeout;
}

/** Reads files in separate processes. If all processes are busy, requests wait in the order of arrival. */
export class ExtractorPool extends Extractor implements OnApplicationShutdown {
  readonly #idle: IdleProcess[] = [];
  readonly #busy = new Set<ExtractionProcess>();
  readonly #waiting: (() => void)[] = [];
  readonly #closing = new AbortController();
  #freeSlots: number;

  constructor(private readonly options: PoolOptions) {
    super();
    this.#freeSlots = options.processes;
  }

  get pids(): { busy: number[]; idle: number[] } {
    const known = (pid: number | undefined): pid is number => pid !== undefined;
    return {
      busy: [...this.#busy].map(({ pid }) => pid).filter(known),
      idle: this.#idle.map(({ process }) => process.pid).filter(known),
    };
  }

  override async extract(request: ExtractionRequest, signal?: AbortSignal): Promise<Extraction> {
    const stop = signal ? AbortSignal.any([signal, this.#closing.signal]) : this.#closing.signal;
    await this.#waitForSlot(stop);
    try {
      // Absolute, because the processes have another working folder.
      return await this.#read({ ...request, path: path.resolve(request.path) }, stop);
    } finally {
      this.#freeSlots += 1;
      this.#waiting.shift()?.();
    }
  }

  /** Rejects the pending requests. */
  onApplicationShutdown(): void {
    this.#closing.abort(new Error('The service is stopping.'));
    for (const { process, timer } of this.#idle.splice(0)) {
      clearTimeout(timer);
      process.kill();
    }
    for (const process of this.#busy) process.kill();
  }

  async #waitForSlot(stop: AbortSignal): Promise<void> {
    stop.throwIfAborted();
    while (this.#freeSlots === 0) {
      await new Promise<void>((resolve, reject) => {
        const onFree = (): void => {
          stop.removeEventListener('abort', onAbort);
          resolve();
        };
        const onAbort = (): void => {
          this.#waiting.splice(this.#waiting.indexOf(onFree), 1);
          reject(stop.reason as Error);
        };
        this.#waiting.push(onFree);
        stop.addEventListener('abort', onAbort, { once: true });
      });
    }
    this.#freeSlots -= 1;
  }

  async #read(request: ExtractionRequest, stop: AbortSignal): Promise<Extraction> {
    stop.throwIfAborted();
    const process = await this.#acquire(request.owner);
    try {
      const { extraction, detail } = await process.run(request, stop);
      const { mediaType, failure } = extraction;
      if (failure)
        this.options.debug?.(`No text extracted from a file of type ${mediaType}: ${failure} (${detail}).`);
      return extraction;
    } finally {
      this.#busy.delete(process);
      await this.#release(process);
    }
  }

  async #acquire(owner: string): Promise<ExtractionProcess> {
    for (const { process, timer } of this.#idle.filter((idle) => idle.process.hasEnded)) {
      clearTimeout(timer);
      this.#removeIdle(process);
    }
    const idle = this.#idle.findLast(({ process }) => process.owner === owner);
    if (idle) {
      clearTimeout(idle.timer);
      this.#removeIdle(idle.process);
      this.#busy.add(idle.process);
      return idle.process;
    }
    if (this.#idle.length + this.#busy.size >= this.options.processes) this.#endOldest();
    const { limits, ocr, folder } = this.options;
    const line = this.options.commandLine ?? commandLine(limits, ocr, await isolation());
    const process = await ExtractionProcess.start(owner, limits, ocr, line, folder);
    this.#busy.add(process);
    if (this.#closing.signal.aborted) process.kill();
    return process;
  }

  #endOldest(): void {
    const oldest = this.#idle.shift();
    if (!oldest) return;
    clearTimeout(oldest.timer);
    oldest.process.kill();
  }

  #removeIdle(process: ExtractionProcess): void {
    const index = this.#idle.findIndex((idle) => idle.process === process);
    if (index >= 0) this.#idle.splice(index, 1);
  }

  async #release(process: ExtractionProcess): Promise<void> {
    if (process.hasEnded) return;
    if ((await process.needsReplacement()) || this.#closing.signal.aborted) return process.kill();
    const timer = setTimeout(() => {
      this.#removeIdle(process);
      process.kill();
    }, this.options.idleMs ?? 30_000).unref();
    this.#idle.push({ process, timer });
  }
}
