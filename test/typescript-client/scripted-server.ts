import { once } from 'node:events';
import http, { type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http';
import { type AddressInfo } from 'node:net';

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
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return scripted;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Sets the answers to the next requests and clears the received requests. */
  script(...answers: (Answer | null)[]): void {
    this.received.length = 0;
    this.answers.splice(0, Infinity, ...answers);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}
