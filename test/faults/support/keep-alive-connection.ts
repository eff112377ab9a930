import http, { type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http';

export interface OutgoingRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: OutgoingHttpHeaders;
  readonly body?: Buffer;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** A request without a complete answer. */
export interface FailedExchange {
  readonly error: string;
  /** Time when the operating system had accepted the whole request; otherwise the time when sending began. */
  readonly sentAt: number;
  readonly isConnected: boolean;
  readonly isReused: boolean;
  readonly hasAnswerBegun: boolean;
}

/**
 * The service closes idle connections, and does so sooner while it stops. A client that reuses a connection too late may
 * find it closed. This limit begins with the last request, because a busy client may receive the answer late.
 */
const REUSED_WITHIN_MS = 1500;

/** A client with one keep-alive connection. It sends requests one after the other and does not retry. */
export class KeepAliveConnection {
  private agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  private startedAt = performance.now();

  async send(url: string, request: OutgoingRequest): Promise<Answer | FailedExchange> {
    const now = performance.now();
    if (now - this.startedAt > REUSED_WITHIN_MS) {
      this.agent.destroy();
      this.agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
    }
    this.startedAt = now;
    return this.exchange(url, request);
  }

  private exchange(
    url: string,
    { method, path, headers, body }: OutgoingRequest,
  ): Promise<Answer | FailedExchange> {
    const request = http.request(new URL(path, url), {
      agent: this.agent,
      method,
      headers: { ...headers, ...(body && { 'Content-Length': body.length }) },
    });
    let sentAt = Date.now();
    request.once('finish', () => (sentAt = Date.now()));
    let isConnected = false;
    request.once('socket', (socket) => {
      isConnected = !socket.connecting;
      socket.once('connect', () => (isConnected = true));
    });
    return new Promise((resolve) => {
      let hasAnswerBegun = false;
      const fail = (error: Error) =>
        resolve({
          error: String(error),
          sentAt,
          isConnected,
          isReused: request.reusedSocket,
          hasAnswerBegun,
        });
      request.once('error', fail);
      request.once('response', (response) => {
        hasAnswerBegun = true;
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.once('error', fail);
        response.once('close', () => {
          if (!response.complete) return fail(new Error('The answer is incomplete'));
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(chunks),
          });
        });
      });
      request.end(body);
    });
  }

  close(): void {
    this.agent.destroy();
  }
}

export function isAnswer(outcome: Answer | FailedExchange): outcome is Answer {
  return 'status' in outcome;
}
