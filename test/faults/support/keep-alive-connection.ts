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
  /** All of it. */
  readonly body: Buffer;
}

/** What became of a request that nobody answered to the end. */
export interface FailedExchange {
  readonly error: string;
  /** When the system had taken all of it; when it was begun, where it never had. */
  readonly sentAt: number;
  /** Whether there was a connection at all. */
  readonly isConnected: boolean;
  /** Whether that connection had carried an answer before. */
  readonly isReused: boolean;
  /** Whether the answer had begun. */
  readonly hasAnswerBegun: boolean;
}

/**
 * The service closes a connection that idles, and soon when it stops. A client that is late may meet its end. It counts
 * from when it began the last request: where the machine is busy, it learns late of the answer, from which on the
 * service counts, and the service of the next request.
 */
const REUSED_WITHIN_MS = 1500;

/** A client with one connection, which is kept alive: requests are sent one after the other, and none by itself again. */
export class KeepAliveConnection {
  private agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  private begunAt = performance.now();

  async send(url: string, request: OutgoingRequest): Promise<Answer | FailedExchange> {
    const now = performance.now();
    if (now - this.begunAt > REUSED_WITHIN_MS) {
      this.agent.destroy();
      this.agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
    }
    this.begunAt = now;
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
      const lose = (error: Error) =>
        resolve({
          error: String(error),
          sentAt,
          isConnected,
          isReused: request.reusedSocket,
          hasAnswerBegun,
        });
      request.once('error', lose);
      request.once('response', (response) => {
        hasAnswerBegun = true;
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.once('error', lose);
        response.once('close', () => {
          if (!response.complete) return lose(new Error('The answer ends before it is complete'));
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
