import type { IncomingMessage } from 'node:http';
import { message } from '../../../common/messages/message.js';
import { Problem, malformedBody } from '../../../common/problem.js';
import { discardRest } from './discard-rest.js';
import { type TransferRate, TransferRateMonitor, setRequestTimeoutExempt } from './transfer-rate.js';

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
   * @param lingerStepMs of {@link discardRest}, shorter in tests
   * @param overhead bytes that the body may have in addition to the content
   */
  constructor(
    private readonly request: IncomingMessage,
    private readonly limit: number,
    transferRate?: TransferRate,
    private readonly lingerStepMs?: number,
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

  /** Ends reading; a pending `read` fails. Further bytes are discarded. */
  release(): void {
    const { request } = this;
    this.#released = true;
    setRequestTimeoutExempt(request.socket, false);
    for (const event of ['readable', 'end', 'error', 'close']) request.off(event, this.#changed);
    this.#wake();
    discardRest(request, { stepMs: this.lingerStepMs });
  }
}
