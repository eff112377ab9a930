import { type Response } from 'express';
import { type Caller } from '../../tenancy/access/caller.js';
import { type EndpointOptions } from '../endpoint/endpoint-options.js';
import { type Payment } from '../rate-limit/rate-limiter.js';
import { detach, onClose } from '../server/on-close.js';
import { BYTES_PER_REQUEST } from '../rate-limit/byte-price.js';

/** Bytes that the request for the stream pays for: about a page of 200 events. */
const FIRST_BYTES = 64 * 1024;

/**
 * The bytes that a stream has paid for. Each 256 KiB cost one request of the caller's rate limit, in advance: the
 * stream pauses until they are paid. If less than half of the burst is left, it pays at most once a second, so that
 * a long replay leaves requests for others of the same caller.
 */
class StreamCredit {
  private bytes = FIRST_BYTES;
  private isPaying = false;
  private waitsForTick = false;

  constructor(
    private readonly pay: () => Promise<Payment>,
    /** Called when more may be sent after a pause. */
    private readonly onPaid: () => void,
  ) {}

  get isUsedUp(): boolean {
    return this.bytes <= 0;
  }

  use(bytes: number): void {
    this.bytes -= bytes;
    void this.renew();
  }

  /** Called every second. */
  tick(): void {
    this.waitsForTick = false;
    void this.renew();
  }

  private async renew(): Promise<void> {
    if (this.isPaying) return;
    this.isPaying = true;
    while (this.isUsedUp && !this.waitsForTick) {
      const { allowed, isLow } = await this.pay();
      if (allowed) this.bytes += BYTES_PER_REQUEST;
      this.waitsForTick = isLow;
      if (!this.isUsedUp) this.onPaid();
    }
    this.isPaying = false;
  }
}

/** Why a stream has ended: the client closed it, or the service did. */
export type StreamEnd = 'client' | 'access' | 'token' | 'slow' | 'stopping';

/** The stream ends if there is something to send while more than this waits for the client. */
const MAX_BUFFERED_BYTES = 256 * 1024;

/** Ticks, of a second each, between two comment lines. */
const COMMENT_EVERY = 15;

const HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  // A proxy that compresses collects bytes first.
  'Cache-Control': 'no-store, no-transform',
  // nginx: pass the bytes on at once.
  'X-Accel-Buffering': 'no',
  // After the end of the stream the client connects again, possibly to another instance.
  Connection: 'close',
} as const;

/** Milliseconds until a client connects again. They differ, so that the clients of a stopped instance do not come together. */
function retryMs(): number {
  return 1000 + Math.floor(Math.random() * 2000);
}

/** One message. JSON text has no line breaks, which would end the field. */
export function messageText(type: string, data: string, id?: number): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${type}\ndata: ${data}\n\n`;
}

interface StreamOptions {
  readonly response: Response;
  readonly caller: Caller;
  readonly endpoint: EndpointOptions;
  /** Epoch seconds. */
  readonly tokenExpiresAt: number;
  /** The stream ends if the client reads nothing of what waits for it for this long. */
  readonly idleTimeoutMs: number;
  /** Charges the caller one request. */
  readonly pay: () => Promise<Payment>;
}

/**
 * The response of a request for Server-Sent Events (https://html.spec.whatwg.org/multipage/server-sent-events.html).
 * It holds no database connection. What the client does not read is limited: then the stream ends, and a client that
 * connects again continues where it was.
 */
export class EventStream {
  /** The reader with the rights of the last check. */
  caller: Caller;
  readonly openedAt = performance.now();
  /** Lines that follow a comment; empty or complete lines. */
  afterComment: () => string = () => '';
  /** Called when more may be sent: the client has read everything that waited, or more is paid for. */
  onDrain: () => void = () => undefined;
  private readonly onEndCallbacks: ((reason: StreamEnd) => void)[] = [];
  private ended = false;
  private isOpen = false;
  /** Sent before the stream is open. */
  private early = '';
  private ticks = 0;
  private blockedSince: number | null = null;
  private readonly credit: StreamCredit;

  constructor(private readonly options: StreamOptions) {
    this.caller = options.caller;
    this.credit = new StreamCredit(options.pay, () => this.resume());
  }

  get endpoint(): EndpointOptions {
    return this.options.endpoint;
  }

  get hasEnded(): boolean {
    return this.ended;
  }

  /** Whether the client has read enough, and enough is paid for, so that more may be sent. */
  get isReady(): boolean {
    return !this.ended && !this.credit.isUsedUp && !this.options.response.writableNeedDrain;
  }

  /** Calls back when the stream ends, at once if it has ended. */
  onEnd(callback: (reason: StreamEnd) => void): void {
    if (this.ended) callback('client');
    else this.onEndCallbacks.push(callback);
  }

  /** Sends the headers. `first` are lines before the first message. From now on it is no request in progress. */
  open(first: string): void {
    const { response } = this.options;
    response.writeHead(200, HEADERS);
    detach(response);
    onClose(response, () => this.end('client'));
    response.on('drain', () => {
      this.blockedSince = null;
      this.resume();
    });
    this.isOpen = true;
    this.write(`retry: ${retryMs()}\n${first}\n${this.early}`);
  }

  /** Answers a HEAD request. */
  openWithoutBody(): void {
    this.options.response.writeHead(200, HEADERS);
    this.end('client');
    this.options.response.end();
  }

  send(text: string): void {
    if (this.ended) return;
    this.credit.use(Buffer.byteLength(text));
    if (this.isOpen) this.write(text);
    else this.early += text;
  }

  private write(text: string): void {
    const { response } = this.options;
    if (response.writableLength > MAX_BUFFERED_BYTES) this.end('slow');
    else if (!response.write(text)) this.blockedSince ??= performance.now();
  }

  /** Called every second. */
  tick(): void {
    if (this.ended || !this.isOpen) return;
    const { tokenExpiresAt, idleTimeoutMs } = this.options;
    if (Date.now() >= tokenExpiresAt * 1000) return this.end('token');
    this.credit.tick();
    if (this.blockedSince !== null) {
      if (performance.now() - this.blockedSince >= idleTimeoutMs) this.end('slow');
      return;
    }
    this.ticks += 1;
    if (this.ticks % COMMENT_EVERY === 0) this.send(`:\n${this.afterComment()}\n`);
  }

  private resume(): void {
    if (this.isReady) this.onDrain();
  }

  end(reason: StreamEnd): void {
    if (this.ended) return;
    this.ended = true;
    const { response } = this.options;
    // A client that does not read would keep the connection open.
    if (reason === 'slow' || (this.isOpen && response.writableNeedDrain)) response.destroy();
    else if (this.isOpen) response.end();
    for (const callback of this.onEndCallbacks) callback(reason);
  }
}
