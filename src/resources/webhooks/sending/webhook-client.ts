import http, { type ClientRequest, type IncomingMessage } from 'node:http';
import https from 'node:https';
import { type LookupFunction } from 'node:net';
import { type TLSSocket } from 'node:tls';
import { type DeliveryError } from '../webhook-delivery.entity.js';
import { type ResolveHost } from './host-names.js';
import { type ReceiverAddresses, literalAddress } from './receiver-addresses.js';

/** A receiver can delay a retry by at most a day, in seconds. */
const MAX_RETRY_AFTER = 24 * 60 * 60;

/**
 * Seconds of a Retry-After header (RFC 9110, 10.2.3): a number, or a date. 0 without a valid one.
 *
 * @param date the header Date of the answer: the receiver's clock may differ from that of this machine
 */
function retryAfterSeconds(header: string | undefined, date: string | undefined): number {
  if (header === undefined) return 0;
  const text = header.trim();
  const seconds = /^\d{1,10}$/.test(text) ? Number(text) : (Date.parse(text) - timeOf(date)) / 1000;
  return Number.isFinite(seconds) ? Math.min(Math.max(seconds, 0), MAX_RETRY_AFTER) : 0;
}

function timeOf(date = ''): number {
  const time = Date.parse(date);
  return Number.isNaN(time) ? Date.now() : time;
}

/** Time limit of an attempt: name resolution, connection, TLS, request and answer. */
export const ATTEMPT_TIMEOUT_MS = 15_000;
/**
 * How much of the body is read after the status line, and how long. Receivers would see a reset connection without it.
 * It is outside of the limits of requests in flight, so only this many are read at the same time.
 */
const MAX_BODY = { bytes: 64 * 1024, ms: 1000, count: 100 };
const MAX_HEADER_BYTES = 16 * 1024;
/** Interim answers (1xx) have no limit of their own in Node.js. */
const MAX_INTERIM_ANSWERS = 10;

export interface WebhookRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Outcome of an attempt. The answer's body is not kept. */
export interface AttemptResult {
  /** Null for a success (2xx). */
  readonly error: DeliveryError | null;
  /** Null without an answer. */
  readonly statusCode: number | null;
  readonly durationMs: number;
  /** Seconds of the Retry-After header; 0 without one. */
  readonly retryAfter: number;
}

export interface WebhookClientOptions {
  readonly addresses: ReceiverAddresses;
  readonly resolveHost: ResolveHost;
  readonly allowHttp: boolean;
  /** Only for tests. */
  readonly timeoutMs?: number;
  /** Certificate authority in addition to those of Node.js; only for tests. */
  readonly ca?: string;
}

class AddressRefused extends Error {}

/**
 * Sends requests to receivers, which are strangers (docs/adr/0041). Connects only to addresses that were checked after
 * the one name resolution of the attempt. Follows no redirect and uses no proxy. The status line ends the attempt; a longer
 * or slower body is cut.
 */
export class WebhookClient {
  private bodies = 0;

  constructor(private readonly options: WebhookClientOptions) {}

  /** Whether a URL may be a receiver's. Does not resolve names. */
  accepts(url: URL): { readonly protocol: boolean; readonly address: boolean } {
    const address = literalAddress(url);
    return {
      protocol: url.protocol === 'https:' || (this.options.allowHttp && url.protocol === 'http:'),
      address: address === null || this.options.addresses.isAllowed(address),
    };
  }

  /** Never rejects. @param interrupted aborts the attempt, which then ends as `Timeout`. */
  async send(
    { url: text, headers, body }: WebhookRequest,
    interrupted?: AbortSignal,
  ): Promise<AttemptResult> {
    const begin = performance.now();
    const limit = AbortSignal.timeout(this.options.timeoutMs ?? ATTEMPT_TIMEOUT_MS);
    const signal = interrupted ? AbortSignal.any([limit, interrupted]) : limit;
    const outcome = await this.attempt(new URL(text), headers, body, signal);
    return { ...outcome, durationMs: Math.round(performance.now() - begin) };
  }

  private attempt(
    url: URL,
    headers: WebhookRequest['headers'],
    body: string,
    signal: AbortSignal,
  ): Promise<Omit<AttemptResult, 'durationMs'>> {
    const failed = (error: DeliveryError) => ({ error, statusCode: null, retryAfter: 0 });
    const { protocol, address } = this.accepts(url);
    if (!protocol || !address) return Promise.resolve(failed('AddressRefused'));
    const isTls = url.protocol === 'https:';
    return new Promise((resolve) => {
      let phase: 'connection' | 'tls' | 'request' = 'connection';
      const request: ClientRequest = (isTls ? https : http).request(url, {
        method: 'POST',
        headers: { ...headers, 'content-length': Buffer.byteLength(body) },
        // An agent of its own: no proxy, no connection that another request opened.
        agent: new (isTls ? https : http).Agent({ keepAlive: false, maxSockets: 1 }),
        lookup: this.lookup(signal),
        maxHeaderSize: MAX_HEADER_BYTES,
        signal,
        ...(isTls && { rejectUnauthorized: true, ...(this.options.ca && { ca: this.options.ca }) }),
      });
      request.once('socket', (socket) => {
        socket.once('connect', () => (phase = isTls ? 'tls' : 'request'));
        (socket as TLSSocket).once('secureConnect', () => (phase = 'request'));
      });
      let interim = 0;
      request.on('information', () => {
        if ((interim += 1) > MAX_INTERIM_ANSWERS) request.destroy(new Error('Too many interim answers'));
      });
      // A server that switches protocols has not accepted the event.
      request.once('upgrade', ({ statusCode = 0 }, socket) => {
        socket.destroy();
        resolve({ error: 'BadStatus', statusCode, retryAfter: 0 });
      });
      request.on('error', (error) => {
        if (error instanceof AddressRefused) resolve(failed('AddressRefused'));
        else if (signal.aborted) resolve(failed('Timeout'));
        else resolve(failed(phase === 'tls' ? 'TlsFailed' : 'ConnectionFailed'));
      });
      request.once('response', (response) => {
        const { statusCode = 0, headers: answered } = response;
        const retryAfter = retryAfterSeconds(answered['retry-after'], answered.date);
        resolve({ error: errorOf(statusCode), statusCode, retryAfter });
        this.discardBody(response);
      });
      request.end(body);
    });
  }

  /** Reads the body until its end or until {@link MAX_BODY}. */
  private discardBody(response: IncomingMessage): void {
    response.on('error', () => undefined);
    if (this.bodies >= MAX_BODY.count) return void response.destroy();
    this.bodies += 1;
    const timer = setTimeout(() => response.destroy(), MAX_BODY.ms);
    let bytes = 0;
    response.on('data', (chunk: Buffer) => {
      if ((bytes += chunk.length) > MAX_BODY.bytes) response.destroy();
    });
    response.once('close', () => {
      clearTimeout(timer);
      this.bodies -= 1;
    });
  }

  /** Resolves the name once; the connection is made to these addresses and no others. */
  private lookup(signal: AbortSignal): LookupFunction {
    return (hostname, { all }, callback) => {
      this.options.resolveHost(hostname, signal).then(
        (addresses) => {
          const [first] = addresses;
          if (!first || !addresses.every(({ address }) => this.options.addresses.isAllowed(address)))
            callback(new AddressRefused('The host has an address that is not public'), '');
          else if (all) callback(null, [...addresses]);
          else callback(null, first.address, first.family);
        },
        (error: NodeJS.ErrnoException) => callback(error, ''),
      );
    };
  }
}

function errorOf(statusCode: number): DeliveryError | null {
  if (statusCode >= 200 && statusCode < 300) return null;
  return statusCode >= 300 && statusCode < 400 ? 'Redirect' : 'BadStatus';
}
