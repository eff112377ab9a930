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
export interface Loss {
  readonly error: string;
  /** Whether there was a connection at all. */
  readonly isConnected: boolean;
  /** Whether that connection had carried an answer before. */
  readonly isReused: boolean;
  /** Whether the answer had begun. */
  readonly isBegun: boolean;
}

/** A client with one connection, which is kept alive: requests are sent one after the other, and none by itself again. */
export class KeptConnection {
  private readonly agent = new http.Agent({ keepAlive: true, maxSockets: 1 });

  send(url: string, { method, path, headers, body }: OutgoingRequest): Promise<Answer | Loss> {
    const request = http.request(new URL(path, url), {
      agent: this.agent,
      method,
      headers: { ...headers, ...(body && { 'Content-Length': body.length }) },
    });
    let isConnected = false;
    request.once('socket', (socket) => {
      isConnected = !socket.connecting;
      socket.once('connect', () => (isConnected = true));
    });
    return new Promise((resolve) => {
      let isBegun = false;
      const lose = (error: Error) =>
        resolve({ error: String(error), isConnected, isReused: request.reusedSocket, isBegun });
      request.once('error', lose);
      request.once('response', (response) => {
        isBegun = true;
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

export function isAnswer(outcome: Answer | Loss): outcome is Answer {
  return 'status' in outcome;
}
