import http, { type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http';
import { close, listen } from '../support/servers/local-server.js';

interface Answer {
  readonly status: number;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: unknown;
}

interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Sends the answers of the script in order. `null` closes the connection without an answer. */
export class ScriptedServer {
  readonly received: ReceivedRequest[] = [];
  private readonly answers: (Answer | null)[] = [];

  url = '';

  private constructor(private readonly server: http.Server) {}

  static async start(): Promise<ScriptedServer> {
    const server = http.createServer();
    const scripted = new ScriptedServer(server);
    server.on('request', (request, response) => {
      let body = '';
      request.setEncoding('utf8').on('data', (text) => (body += String(text)));
      request.on('end', () => {
        const { method = '', url: path = '', headers } = request;
        scripted.received.push({ method, path, headers, body });
        const answer = scripted.answers.shift();
        if (!answer) return request.socket.destroy();
        response.writeHead(answer.status, { 'Content-Type': 'application/json', ...answer.headers });
        response.end(answer.body === undefined ? '' : JSON.stringify(answer.body));
      });
    });
    scripted.url = await listen(server);
    return scripted;
  }

  /** Sets the answers to the next requests and clears the received requests. */
  script(...answers: (Answer | null)[]): void {
    this.received.length = 0;
    this.answers.splice(0, Infinity, ...answers);
  }

  stop(): Promise<void> {
    return close(this.server);
  }
}
