import type { IncomingMessage } from 'node:http';
import { message } from '../../../common/messages/message.js';
import { Problem, malformedBody } from '../../../common/problem.js';
import { type TransferRate, TransferRateMonitor, setRequestTimeoutExempt } from './transfer-rate.js';

/** Bytes that are read and discarded after a request is rejected, so that the client gets to read the response. */
const DRAINED_BYTES = 4 * 1024 * 1024;
/** Time to discard these bytes, as a number of timer steps. A pause of the machine counts as one step only. */
const LINGER_STEPS = 20;
const LINGER_STEP_MS = 100;

/**
 * Reads the body of a request chunk by chunk; unread bytes stay with the client. Unlike the async iterator of a
 * stream, `release` can end a pending read, and it does not close the connection, which the response still needs.
 */
export class RequestBytes {
  #taken = 0;
  #released = false;
  #wake: () => void = () => {};
  readonly #changed = (): void => this.#wake();
  readonly #monitor: TransferRateMonitor | null;

  /**
   * @param limit maximum bytes of content; more is a Problem 413
   * @param transferRate lowest rate; slower is a Problem 400. Without it, Node's `requestTimeout` applies
   * @param lingerStepMs shorter in tests
   * @param overhead bytes that the body may have in addition to the content
   */
  constructor(
    private readonly request: IncomingMessage,
    private readonly limit: number,
    transferRate?: TransferRate,
    private readonly lingerStepMs = LINGER_STEP_MS,
    private readonly overhead = 0,
  ) {
    this.#monitor = transferRate ? new TransferRateMonitor(transferRate) : null;
    setRequestTimeoutExempt(request.socket, transferRate !== undefined);
    for (const event of ['readable', 'end', 'error', 'close']) request.on(event, this.#changed);
  }

  /** Null at the end. Only one call may be pending. */
  async read(): Promise<Buffer | null> {
    const { request } = this;
    this.refuseLarger(Number(request.headers['content-length'] ?? 0));
    for (;;) {
      if (this.#released) throw new Error('The request body was released.');
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
      await this.#waitForEvent();
    }
  }

  private refuseLarger(bytes: number): void {
    if (bytes > this.limit + this.overhead)
      throw new Problem('request.too-large', { detail: message('content.max-bytes', { max: this.limit }) });
  }

  async #waitForEvent(): Promise<void> {
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
   * Ends reading; a pending `read` fails. Further bytes are read and discarded, up to 4 MiB and two seconds. If they
   * stayed in the socket, the client might never read the response; if the connection were closed at once, the
   * response might be lost. After these limits the connection is closed.
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
