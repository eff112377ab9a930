import { type IncomingHttpHeaders, type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { close, listen } from './local-server.js';

export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

type Answer = (response: ServerResponse, request: ReceivedRequest) => void;

/** An HTTP server on a loopback port that stores the requests it gets and answers 204, or what `answer` writes. */
export class WebhookReceiver {
  readonly requests: ReceivedRequest[] = [];
  /** Requests that have no answer yet, and the highest number of them at the same time. */
  open = 0;
  mostOpen = 0;
  answer: Answer = (response) => response.writeHead(204).end();

  private constructor(private readonly server: ReturnType<typeof createServer>) {}

  static async start(): Promise<WebhookReceiver> {
    let self: WebhookReceiver | undefined = undefined as WebhookReceiver | undefined;
    const server = createServer((request, response) => void self?.receive(request, response));
    await listen(server);
    return (self = new WebhookReceiver(server));
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/events?key=1`;
  }

  /** The bodies of the requests. */
  get payloads(): { type: string; timestamp: string; data: Record<string, unknown> }[] {
    return this.requests.map(({ body }) => JSON.parse(body) as never);
  }

  answerWith(status: number, headers: Record<string, string> = {}): void {
    this.answer = (response) => response.writeHead(status, headers).end();
  }

  closeConnections(): void {
    this.server.closeAllConnections();
  }

  stop(): Promise<void> {
    return close(this.server);
  }

  private async receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.open += 1;
    this.mostOpen = Math.max(this.mostOpen, this.open);
    response.once('close', () => (this.open -= 1));
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = '', url = '', headers } = request;
    const received = { method, path: url, headers, body: Buffer.concat(chunks).toString() };
    this.requests.push(received);
    this.answer(response, received);
  }
}
