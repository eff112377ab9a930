import http from 'node:http';
import { type Conformance } from '../../contract/conformance.js';
import { type RawResponse, exchange, jsonOf } from './exchange.js';

export interface ApiRequest {
  readonly method: string;
  /** Path and query, from the root of the service. */
  readonly path: string;
  readonly token: string | null;
  readonly body?: string | Buffer;
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface ApiResponse extends RawResponse {
  /** The parsed body; undefined when the response is not JSON. */
  readonly json: unknown;
}

/** The number of connections of a client, and so of its concurrent requests. */
const CONNECTIONS = 8;

/**
 * Sends many requests over a few keep-alive connections and checks every response against the OpenAPI document. Each
 * request has another client address (X-Forwarded-For), because the service limits failed authentications by address.
 * The service must trust the loopback address as a proxy.
 */
export class ConformanceClient {
  /** The number of requests sent so far. */
  sent = 0;
  private readonly agent: http.Agent;

  /** @param server the HTTP server of the service; its keep-alive timeout is disabled, so that no request meets a closing connection */
  constructor(
    private readonly url: string,
    server: http.Server,
    private readonly conformance: Conformance,
    connections = CONNECTIONS,
  ) {
    this.agent = new http.Agent({ keepAlive: true, maxSockets: connections });
    server.keepAliveTimeout = 0;
  }

  async send(request: ApiRequest): Promise<ApiResponse> {
    const { method, path, token, body, contentType } = request;
    this.sent += 1;
    const headers = {
      ...request.headers,
      'X-Forwarded-For': [10, (this.sent >> 16) & 255, (this.sent >> 8) & 255, this.sent & 255].join('.'),
      ...(token !== null && { Authorization: `Bearer ${token}` }),
      ...(contentType !== undefined && { 'Content-Type': contentType }),
      'Content-Length': Buffer.byteLength(body ?? ''),
    };
    const response = await exchange(this.url, this.agent, method, path, headers, body);
    const json = jsonOf(response);
    this.conformance.check(method.toLowerCase(), path, { ...response, body: json });
    return { ...response, json };
  }

  stop(): void {
    this.agent.destroy();
  }
}

/** Runs `work` for each item, `width` items at a time. The results are in the order of the items. */
export async function mapConcurrently<T, R>(
  items: readonly T[],
  work: (item: T) => Promise<R>,
  width = CONNECTIONS,
): Promise<R[]> {
  const results: R[] = [];
  const entries = items.entries();
  await Promise.all(
    Array.from({ length: width }, async () => {
      for (const [index, item] of entries) results[index] = await work(item);
    }),
  );
  return results;
}

/**
 * Status, header fields and body as one text that is the same for two indistinguishable responses. Date, rate limit,
 * request id and the time until a stream's client connects again are left out, because they differ between any two requests. The values of `sent` become placeholders.
 */
export function normalizedResponse({ status, headers, text }: ApiResponse, sent: readonly string[]): string {
  const { date: _date, ratelimit: _ratelimit, 'x-request-id': requestId, ...rest } = headers;
  const whole = JSON.stringify({ status, headers: rest, text: text.replace(/^retry: \d+$/m, 'retry: <ms>') });
  const withoutRequest = requestId === undefined ? whole : whole.replaceAll(requestId, '<request>');
  return sent.reduce((all, value) => all.replaceAll(value, '<sent>'), withoutRequest);
}
