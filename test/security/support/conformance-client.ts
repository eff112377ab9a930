import http from 'node:http';
import { type Conformance } from '../../contract/conformance.js';

export interface ApiRequest {
  readonly method: string;
  /** Path and query, from the root of the service. */
  readonly path: string;
  readonly token: string | null;
  readonly body?: string | Buffer;
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface ApiResponse {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly text: string;
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
    const response = await this.exchange(method, path, body, {
      ...request.headers,
      'X-Forwarded-For': [10, (this.sent >> 16) & 255, (this.sent >> 8) & 255, this.sent & 255].join('.'),
      ...(token !== null && { Authorization: `Bearer ${token}` }),
      ...(contentType !== undefined && { 'Content-Type': contentType }),
      'Content-Length': String(Buffer.byteLength(body ?? '')),
    });
    const { status, headers, json } = response;
    this.conformance.check(method.toLowerCase(), path, {
      status,
      headers: headers as Record<string, string | undefined>,
      body: json,
    });
    return response;
  }

  private exchange(
    method: string,
    path: string,
    body: string | Buffer | undefined,
    headers: Record<string, string>,
  ): Promise<ApiResponse> {
    return new Promise((resolve, reject) => {
      const request = http.request(
        `${this.url}${path}`,
        { method, headers, agent: this.agent },
        (response) => {
          const parts: Buffer[] = [];
          response.on('data', (part: Buffer) => {
            parts.push(part);
            // A stream is never complete. What comes first is enough.
            if (isStream) response.destroy();
          });
          const isStream = response.headers['content-type']?.startsWith('text/event-stream') === true;
          response.on('error', reject);
          response.on(isStream ? 'close' : 'end', () => {
            const text = Buffer.concat(parts).toString();
            const isJson = /\bjson\b/.test(response.headers['content-type'] ?? '');
            const json = isJson && text !== '' ? (JSON.parse(text) as unknown) : undefined;
            resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json });
          });
        },
      );
      request.on('error', reject);
      request.end(body);
    });
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
  const withoutRequest = requestId === undefined ? whole : whole.replaceAll(requestId as string, '<request>');
  return sent.reduce((all, value) => all.replaceAll(value, '<sent>'), withoutRequest);
}
