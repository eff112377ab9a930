import http from 'node:http';
import { type Conformance } from '../../contract/conformance.js';

export interface ApiRequest {
  readonly method: string;
  /** From the root of the service. */
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
  /** Parsed, where it is JSON. */
  readonly json: unknown;
}

/** As many requests of one client are under way at a time. */
const CONNECTIONS = 8;

/**
 * Sends many requests over a few connections that stay open, each as if it came from another address (the service
 * has to trust the loopback as a proxy): failed authentications are counted by address. Every answer is held against
 * the OpenAPI document.
 */
export class ConformanceClient {
  /** Requests that were answered. */
  sent = 0;
  private readonly agent: http.Agent;

  /** @param server of the service: it must not close an idle connection at the moment in which it is used again */
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
    const answer = await this.exchange(method, path, body, {
      ...request.headers,
      'X-Forwarded-For': [10, (this.sent >> 16) & 255, (this.sent >> 8) & 255, this.sent & 255].join('.'),
      ...(token !== null && { Authorization: `Bearer ${token}` }),
      ...(contentType !== undefined && { 'Content-Type': contentType }),
      'Content-Length': String(Buffer.byteLength(body ?? '')),
    });
    const { status, headers, json } = answer;
    this.conformance.check(method.toLowerCase(), path, {
      status,
      headers: headers as Record<string, string | undefined>,
      body: json,
    });
    return answer;
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
          response.on('data', (part: Buffer) => parts.push(part));
          response.on('error', reject);
          response.on('end', () => {
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

/** Does the work for each item, several at a time; the results are in the order of the items. */
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
 * All of an answer that must not differ between two requests that name different identifiers that are not there: status,
 * header fields and body, without what tells one request from any other, and with a placeholder for what was sent.
 */
export function normalizedResponse({ status, headers, text }: ApiResponse, sent: readonly string[]): string {
  const { date: _date, ratelimit: _ratelimit, 'x-request-id': requestId, ...rest } = headers;
  const whole = JSON.stringify({ status, headers: rest, text });
  const withoutRequest = requestId === undefined ? whole : whole.replaceAll(requestId as string, '<request>');
  return sent.reduce((all, value) => all.replaceAll(value, '<sent>'), withoutRequest);
}
