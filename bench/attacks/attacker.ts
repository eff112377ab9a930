import { once } from 'node:events';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface DelayedBody {
  readonly target: string;
  readonly body: string;
}

/** Sends attack requests and counts the answers by attack and status. Status 0 is a connection without an answer. */
export class Attacker {
  readonly answers = new Map<string, Map<number, number>>();

  constructor(
    private readonly origin: string,
    readonly slug: string,
    private readonly tokens: readonly string[],
  ) {}

  get authorization(): string {
    return `Bearer ${this.tokens[0]}`;
  }

  path(resource: string): string {
    return `/api/v1/t/${this.slug}${resource}`;
  }

  count(attack: string, status: number): void {
    const byStatus = this.answers.get(attack) ?? new Map<number, number>();
    this.answers.set(attack, byStatus.set(status, (byStatus.get(status) ?? 0) + 1));
  }

  /** Returns the body of the answer, empty without an answer. */
  async send(attack: string, user: number, method: string, target: string, body?: string): Promise<Buffer> {
    const [status, answer] = await fetch(`${this.origin}${target}`, {
      method,
      headers: {
        authorization: `Bearer ${this.tokens[user % this.tokens.length]}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body }),
    }).then(
      async (response) =>
        [response.status, await response.arrayBuffer().catch(() => new ArrayBuffer())] as const,
      () => [0, new ArrayBuffer()] as const,
    );
    this.count(attack, status);
    if (status === 0 || status === 429 || status === 503) await sleep(50);
    return Buffer.from(answer);
  }

  /** Sends `count` bodies without their last byte, then all last bytes at once. */
  async sendDelayed(
    attack: string,
    user: number,
    count: number,
    { target, body }: DelayedBody,
  ): Promise<void> {
    const bytes = Buffer.from(body);
    const sockets = Array.from({ length: count }, () => this.connect(user, 'POST', target, bytes.length));
    for (const socket of sockets) socket.write(bytes.subarray(0, -1));
    await sleep(500);
    await Promise.all(
      sockets.map(async (socket) => {
        if (socket.writable) socket.write(bytes.subarray(-1));
        const ended = once(socket, 'close').catch(() => undefined);
        const answer = once(socket, 'data').then(
          ([data]) => Number(String(data).split(' ')[1]),
          () => 0,
        );
        this.count(attack, await Promise.race([answer, ended.then(() => 0), sleep(20_000).then(() => 0)]));
        socket.destroy();
      }),
    );
  }

  /** Reads the answer for at most this time, then closes the connection. */
  async readFor(
    milliseconds: number,
    attack: string,
    user: number,
    target: string,
    { method = 'GET', headers = {} }: { method?: string; headers?: Record<string, string> } = {},
  ): Promise<void> {
    const authorization = `Bearer ${this.tokens[user % this.tokens.length]}`;
    const signal = AbortSignal.timeout(milliseconds);
    const response = await fetch(`${this.origin}${target}`, {
      method,
      headers: { authorization, ...headers },
      signal,
    }).catch(() => null);
    this.count(attack, response?.status ?? 0);
    await response?.arrayBuffer().catch(() => undefined);
    if (!response || response.status === 429) await sleep(50);
  }

  sendWithoutReading(user: number, target: string): net.Socket {
    const socket = this.connect(user, 'GET', target, 0);
    socket.pause();
    return socket;
  }

  private connect(user: number, method: string, target: string, length: number): net.Socket {
    const { hostname, port } = new URL(this.origin);
    const socket = net.connect(Number(port), hostname);
    socket.on('error', () => undefined);
    socket.write(
      `${method} ${target} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${this.tokens[user % this.tokens.length]}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`,
    );
    return socket;
  }
}
