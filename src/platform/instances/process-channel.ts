/** The part of `process` in a worker of node:cluster, and of the worker in its primary process, that messages need. */
interface MessagePort {
  send?(message: unknown, callback: (error: Error | null) => void): boolean;
  on(event: 'message', listener: (message: unknown) => void): unknown;
}

type Call = readonly [id: number, name: string, value: unknown];
type Answer = readonly [id: number, value: unknown, error?: string];

interface Messages {
  readonly calls: Call[];
  readonly answers: Answer[];
}

interface Pending {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly timer: NodeJS.Timeout | undefined;
}

/** Maximum number of calls without an answer. */
const MAX_PENDING = 10_000;

/**
 * Calls between a process and its parent, in both directions. All calls and answers of one turn of the event loop are
 * sent as one message, because a message costs a system call on each side.
 */
export class ProcessChannel {
  private readonly handlers = new Map<string, (value: never) => unknown>();
  private readonly pending = new Map<number, Pending>();
  private outgoing: Messages = { calls: [], answers: [] };
  private lastId = 0;
  private scheduled = false;

  constructor(private readonly port: MessagePort) {
    port.on('message', (message) => {
      const { calls = [], answers = [] } = (message ?? {}) as Partial<Messages>;
      for (const call of calls) void this.answer(call);
      for (const answer of answers) this.settle(answer);
    });
  }

  /** Registers the function that answers calls of this name. */
  handle<V>(name: string, handler: (value: V) => unknown): void {
    this.handlers.set(name, handler);
  }

  /**
   * Values must be cloneable (structured clone).
   *
   * @param timeoutMs without a limit by default
   */
  call<R>(name: string, value?: unknown, timeoutMs?: number): Promise<R> {
    if (this.pending.size >= MAX_PENDING) return Promise.reject(new Error('Too many calls are pending'));
    const id = (this.lastId += 1);
    return new Promise<unknown>((resolve, reject) => {
      const expire = () => this.settle([id, undefined, `No answer to ${name} within ${timeoutMs} ms`]);
      const timer = timeoutMs === undefined ? undefined : setTimeout(expire, timeoutMs).unref();
      this.pending.set(id, { resolve, reject, timer });
      this.outgoing.calls.push([id, name, value]);
      this.schedule();
    }) as Promise<R>;
  }

  /** Rejects all pending calls, because the other process has ended. */
  close(): void {
    for (const id of this.pending.keys()) this.settle([id, undefined, 'The process has ended']);
  }

  private async answer([id, name, value]: Call): Promise<void> {
    let answer: Answer;
    try {
      const handler = this.handlers.get(name);
      if (!handler) throw new Error(`No handler for ${name}`);
      const result = handler(value as never);
      // An answer that is available at once must not wait for the next turn of the event loop.
      answer = [id, result instanceof Promise ? await result : result];
    } catch (error) {
      answer = [id, undefined, (error as Error).message];
    }
    this.outgoing.answers.push(answer);
    this.schedule();
  }

  private settle([id, value, error]: Answer): void {
    const pending = this.pending.get(id);
    if (!pending) return;
    this.pending.delete(id);
    clearTimeout(pending.timer);
    if (error === undefined) pending.resolve(value);
    else pending.reject(new Error(error));
  }

  private schedule(): void {
    if (this.scheduled) return;
    this.scheduled = true;
    setImmediate(() => {
      this.scheduled = false;
      const messages = this.outgoing;
      this.outgoing = { calls: [], answers: [] };
      // When the other process has ended, its exit is handled elsewhere.
      this.port.send?.(messages, () => undefined);
    });
  }
}
