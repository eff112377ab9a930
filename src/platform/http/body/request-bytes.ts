import type { IncomingMessage } from 'node:http';
import { message } from '../../../common/messages/message.js';
import { Problem, malformedBody } from '../../../common/problem.js';
import { discardRest } from './discard-rest.js';
import { EXEMPT_FROM_REQUEST_TIMEOUT, type TransferRate, TransferRateMonitor } from './transfer-rate.js';

/**
 * Rejects compressed bodies (RFC 9110, 15.5.16): JSON could be a decompression bomb, and content would be stored
 * compressed, which the client does not intend.
 */
export function rejectEncodedBody({ headers }: IncomingMessage): void {
  if ((headers['content-encoding'] ?? 'identity').toLowerCase() === 'identity') return;
  throw new Problem('request.unsupported-media-type', {
    detail: message('body.encoding'),
    headers: { 'Accept-Encoding': 'identity' },
  });
}

/**
 * Reads the body of a request chunk by chunk; unread bytes stay with the client. Unlike the async iterator of a
 * stream, `release` can end a pending read, and it does not close the connection, which the response still needs.
 */
export class RequestBytes {
  #taken = 0;
  #released = false;
  #wake: () => void = () => {};
  readonly #changed = (): void => this.#wake();
  readonly #monitor: TransferRateMonitor;

  /**
   * @param limit maximum bytes of content; more is a Problem 413
   * @param transferRate lowest rate; slower is a Problem 400. Node's `requestTimeout` does not apply
   * @param overhead bytes that the body may have in addition to the content
   * @param lingerStepMs of {@link discardRest}, shorter in tests
   */
  constructor(
    private readonly request: IncomingMessage,
    private readonly limit: number,
    transferRate: TransferRate,
    private readonly overhead = 0,
    private readonly lingerStepMs?: number,
  ) {
    this.#monitor = new TransferRateMonitor(transferRate);
    EXEMPT_FROM_REQUEST_TIMEOUT.add(request.socket);
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
        this.#monitor.received(chunk.length);
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

  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer> {
    for (let chunk; (chunk = await this.read()) !== null;) yield chunk;
  }

  private refuseLarger(bytes: number): void {
    if (bytes > this.limit + this.overhead)
      throw new Problem('request.too-large', { detail: message('content.max-bytes', { max: this.limit }) });
  }

  async #waitForEvent(): Promise<void> {
    const remainingMs = this.#monitor.remainingMs();
    if (remainingMs <= 0) throw malformedBody(message('body.too-slow'));
    const since = performance.now();
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      timer = setTimeout(resolve, remainingMs);
    });
    clearTimeout(timer);
    this.#monitor.waited(performance.now() - since);
  }

  /** Ends reading; a pending `read` fails. Further bytes are discarded. */
  release(): void {
    const { request } = this;
    this.#released = true;
    EXEMPT_FROM_REQUEST_TIMEOUT.delete(request.socket);
    for (const event of ['readable', 'end', 'error', 'close']) request.off(event, this.#changed);
    this.#wake();
    discardRest(request, { stepMs: this.lingerStepMs });
  }
}
