import type { IncomingMessage } from 'node:http';
import { message } from '../../../common/messages/message.js';
import { Problem, malformedBody } from '../../../common/problem.js';
import { type TransferRate, TransferRateMonitor, setRequestTimeoutExempt } from './transfer-rate.js';

/** A request that is refused may still send this much, so that the client comes to reading the answer. */
const DRAINED_BYTES = 4 * 1024 * 1024;
/** How long such a client may take, in steps: however long the machine stood still, that is but one of them. */
const LINGER_STEPS = 20;
const LINGER_STEP_MS = 100;

/**
 * The bytes of a request's body, pulled piece by piece: what is not asked for stays with the client. Unlike the
 * async iterator of a stream it can be let go of in the middle of a read, and doing so does not cut the connection
 * that the answer has yet to go over.
 */
export class RequestBytes {
  #taken = 0;
  #released = false;
  #wake: () => void = () => {};
  readonly #changed = (): void => this.#wake();
  readonly #monitor: TransferRateMonitor | null;

  /**
   * @param limit most bytes of content that are taken; more is a Problem 413
   * @param transferRate how slowly they may come; what is slower is a Problem 400. Without one, Node's time for requests holds
   * @param lingerStepMs shorter in tests
   */
  constructor(
    private readonly request: IncomingMessage,
    private readonly limit: number,
    transferRate?: TransferRate,
    private readonly lingerStepMs = LINGER_STEP_MS,
    /** Bytes that may be around the content. */
    private readonly overhead = 0,
  ) {
    this.#monitor = transferRate ? new TransferRateMonitor(transferRate) : null;
    setRequestTimeoutExempt(request.socket, transferRate !== undefined);
    for (const event of ['readable', 'end', 'error', 'close']) request.on(event, this.#changed);
  }

  /** The next piece, or null at the end. One call at a time. */
  async read(): Promise<Buffer | null> {
    const { request } = this;
    this.refuseLarger(Number(request.headers['content-length'] ?? 0));
    for (;;) {
      if (this.#released) throw new Error('The request was let go of.');
      const chunk = request.read() as Buffer | null;
      if (chunk) {
        this.#taken += chunk.length;
        this.#monitor?.received(chunk.length);
        this.refuseLarger(this.#taken);
        return chunk;
      }
      if (request.readableEnded) return null;
      if (request.destroyed) {
        throw malformedBody(message('body.incomplete'));
      }
      await this.#change();
    }
  }

  private refuseLarger(bytes: number): void {
    if (bytes > this.limit + this.overhead)
      throw new Problem('request.too-large', { detail: message('content.max-bytes', { max: this.limit }) });
  }

  /** Waits for whatever happens next to the request. */
  async #change(): Promise<void> {
    const remainingMs = this.#monitor?.remainingMs() ?? Infinity;
    if (remainingMs <= 0) throw malformedBody(message('body.too-slow'));
    const since = performance.now();
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      if (remainingMs !== Infinity) timer = setTimeout(resolve, remainingMs);
    });
    clearTimeout(timer);
    this.#monitor?.waited(performance.now() - since);
  }

  /**
   * Ends reading; a pending `read` fails. What the client goes on to send is thrown away, within bounds: were it
   * left in the socket, the client might never read the answer, and were the connection cut at once, the answer
   * might be lost on its way. Beyond the bounds the connection is closed.
   */
  release(): void {
    const { request } = this;
    this.#released = true;
    setRequestTimeoutExempt(request.socket, false);
    for (const event of ['readable', 'end', 'error', 'close']) request.off(event, this.#changed);
    this.#wake();
    if (request.complete || request.destroyed) {
      request.resume();
      return;
    }
    let left = DRAINED_BYTES;
    let steps = LINGER_STEPS;
    const timer = setInterval(() => {
      steps -= 1;
      if (steps > 0) return;
      clearInterval(timer);
      if (!request.complete) request.destroy();
    }, this.lingerStepMs).unref();
    request.once('close', () => clearInterval(timer));
    request.on('data', (chunk: Buffer) => {
      left -= chunk.length;
      if (left < 0) request.pause();
    });
    request.resume();
  }
}
