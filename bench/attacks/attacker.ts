import { once } from 'node:events';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

interface Request {
  readonly method?: string;
  /** JSON or a form. */
  readonly body?: string | FormData;
  readonly headers?: Readonly<Record<string, string>>;
  /** Reads the answer for at most this time, then closes the connection. */
  readonly milliseconds?: number;
}

/** Sends the requests of one attack and counts the answers. Paths are relative to the tenant. */
export class Attacker {
  /** Number of answers by status; 0 is a connection without an answer. */
  readonly answers = new Map<number, number>();

  constructor(
    private readonly origin: string,
    private readonly slug: string,
    private readonly tokens: readonly string[],
  ) {}

  count(status: number): void {
    this.answers.set(status, (this.answers.get(status) ?? 0) + 1);
  }

  /** Returns the body of the answer, empty without a complete answer. */
  async send(user: number, path: string, { milliseconds, ...request }: Request = {}): Promise<string> {
    const response = await fetch(`${this.origin}/api/v1/t/${this.slug}${path}`, {
      ...request,
      headers: {
        authorization: this.authorization(user),
        ...(typeof request.body === 'string' && { 'content-type': 'application/json' }),
        ...request.headers,
      },
      signal: milliseconds === undefined ? null : AbortSignal.timeout(milliseconds),
    }).catch(() => null);
    const status = response?.status ?? 0;
    this.count(status);
    const body = await response?.text().catch(() => '');
    if (status === 0 || status === 429 || status === 503) await sleep(50);
    return body ?? '';
  }

  post(user: number, path: string, body: string | FormData): Promise<string> {
    return this.send(user, path, { method: 'POST', body });
  }

  /** Sends `count` bodies without their last byte, then all last bytes at once. */
  async sendDelayed(count: number, path: string, body: string): Promise<void> {
    const bytes = Buffer.from(body);
    const sockets = Array.from({ length: count }, () => this.connect(0, 'POST', path, bytes.length));
    for (const socket of sockets) socket.write(bytes.subarray(0, -1));
    await sleep(500);
    await Promise.all(
      sockets.map(async (socket) => {
        if (socket.writable) socket.write(bytes.subarray(-1));
        const answer = once(socket, 'data').then(([data]) => Number(String(data).split(' ')[1]));
        const ended = once(socket, 'close').then(() => 0);
        this.count(await Promise.race([answer, ended, sleep(20_000, 0)]).catch(() => 0));
        socket.destroy();
      }),
    );
  }

  sendWithoutReading(user: number, path: string): net.Socket {
    return this.connect(user, 'GET', path, 0).pause();
  }

  private connect(user: number, method: string, path: string, length: number): net.Socket {
    const { hostname, port } = new URL(this.origin);
    const socket = net.connect(Number(port), hostname);
    socket.on('error', () => undefined);
    socket.write(
      `${method} /api/v1/t/${this.slug}${path} HTTP/1.1\r\nHost: x\r\nAuthorization: ${this.authorization(user)}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`,
    );
    return socket;
  }

  private authorization(user: number): string {
    return `Bearer ${this.tokens[user % this.tokens.length]}`;
  }
}
