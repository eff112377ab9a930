import { EventEmitter, once } from 'node:events';
import { type OnApplicationShutdown } from '@nestjs/common';
import { type ExtractionLimits } from './extraction-limits.js';
import { ExtractionProcess } from './extraction-process.js';
import { type CommandLine, type NativeCode, commandLine as commandLineFor, isolation } from './isolation.js';
import { type ReadingTask } from './reading-task.js';

export interface ProcessPoolOptions {
  readonly processes: number;
  readonly limits: ExtractionLimits;
  /** Milliseconds after which an idle process is ended. Default: 30 seconds. */
  readonly idleMs?: number;
  /** Folder for the input files of the processes. Default: the temporary folder of the system. */
  readonly folder?: string;
  /** Command line of the processes. Default: the reading program. */
  readonly commandLine?: CommandLine;
  readonly debug?: (message: string) => void;
}

/** Runs tasks in separate processes. If all processes are busy, tasks wait in the order of arrival. */
export abstract class ProcessPool<
  Options extends ProcessPoolOptions = ProcessPoolOptions,
> implements OnApplicationShutdown {
  /** With the timers that end them; the oldest first. */
  readonly #idle = new Map<ExtractionProcess, NodeJS.Timeout>();
  readonly #busy = new Set<ExtractionProcess>();
  readonly #slots = new EventEmitter().setMaxListeners(Infinity);
  readonly #closing = new AbortController();
  #freeSlots: number;

  constructor(
    protected readonly options: Options,
    private readonly native: NativeCode,
    private readonly environment: NodeJS.ProcessEnv = {},
  ) {
    this.#freeSlots = options.processes;
  }

  get pids(): { busy: number[]; idle: number[] } {
    const pidsOf = (processes: Iterable<ExtractionProcess>) => [...processes].flatMap(({ pid }) => pid ?? []);
    return { busy: pidsOf(this.#busy), idle: pidsOf(this.#idle.keys()) };
  }

  /** @throws ReadingFailed, the reason of `signal`, or an error when the service stops */
  protected async run<T>(task: ReadingTask<T>, signal?: AbortSignal): Promise<T> {
    const stop = signal ? AbortSignal.any([signal, this.#closing.signal]) : this.#closing.signal;
    await this.#waitForSlot(stop);
    try {
      return await this.#read(task, stop);
    } finally {
      this.#freeSlots += 1;
      this.#slots.emit('free');
    }
  }

  /** Ends all processes and rejects the pending tasks. */
  onApplicationShutdown(): void {
    this.#closing.abort(new Error('The service is stopping.'));
    for (const process of this.#idle.keys()) this.#removeIdle(process).kill();
    for (const process of this.#busy) process.kill();
  }

  async #waitForSlot(stop: AbortSignal): Promise<void> {
    stop.throwIfAborted();
    // The first that waits takes the slot; the others wait again, in the same order.
    while (this.#freeSlots === 0)
      await once(this.#slots, 'free', { signal: stop }).catch(() => stop.throwIfAborted());
    this.#freeSlots -= 1;
  }

  async #read<T>(task: ReadingTask<T>, stop: AbortSignal): Promise<T> {
    stop.throwIfAborted();
    const process = await this.#acquire(task.owner);
    try {
      return await process.run(task, stop);
    } finally {
      this.#busy.delete(process);
      await this.#release(process);
    }
  }

  async #acquire(owner: string): Promise<ExtractionProcess> {
    for (const process of this.#idle.keys()) if (process.hasEnded) this.#removeIdle(process);
    const idle = [...this.#idle.keys()].findLast((process) => process.owner === owner);
    if (idle) {
      this.#busy.add(this.#removeIdle(idle));
      return idle;
    }
    const [oldest] = this.#idle.keys();
    if (oldest && this.#idle.size + this.#busy.size >= this.options.processes)
      this.#removeIdle(oldest).kill();
    const { environment } = this;
    const {
      limits,
      folder,
      commandLine = commandLineFor(limits, this.native, await isolation()),
    } = this.options;
    const process = await ExtractionProcess.start({ owner, limits, commandLine, environment, folder });
    this.#busy.add(process);
    if (this.#closing.signal.aborted) process.kill();
    return process;
  }

  /** Returns its argument. */
  #removeIdle(process: ExtractionProcess): ExtractionProcess {
    clearTimeout(this.#idle.get(process));
    this.#idle.delete(process);
    return process;
  }

  async #release(process: ExtractionProcess): Promise<void> {
    if (process.hasEnded) return;
    if ((await process.needsReplacement()) || this.#closing.signal.aborted) return process.kill();
    const end = () => this.#removeIdle(process).kill();
    this.#idle.set(process, setTimeout(end, this.options.idleMs ?? 30_000).unref());
  }
}
