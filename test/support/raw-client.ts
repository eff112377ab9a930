import { once } from 'node:events';
import net from 'node:net';
import { waitUntil } from './wait-until.js';

/** A connection that sends bytes without changes, and keeps what it receives. */
export class RawClient {
  /** As Latin-1. */
  received = '';
  /** Resolves when the connection is closed, with the error that closed it. */
  readonly ended: Promise<'ended' | Error>;

  private constructor(readonly socket: net.Socket) {
    socket.setEncoding('latin1').on('data', (text: string) => (this.received += text));
    this.ended = new Promise((resolve) => {
      socket.on('error', resolve);
      socket.on('close', () => resolve('ended'));
    });
  }

  static async open(url: string, options: net.SocketConstructorOpts = {}): Promise<RawClient> {
    const { hostname, port } = new URL(url);
    const socket = net.connect({ host: hostname, port: Number(port), ...options });
    await once(socket, 'connect');
    return new RawClient(socket);
  }

  send(bytes: string | Buffer): this {
    this.socket.write(bytes);
    return this;
  }

  /** Sends the bytes as one chunk of a chunked body. Returns false if the client should wait for `drain`. */
  sendChunk(bytes: Buffer): boolean {
    const size = Buffer.from(`${bytes.length.toString(16)}\r\n`);
    return this.socket.write(Buffer.concat([size, bytes, Buffer.from('\r\n')]));
  }

  /** Sends chunks until the connection is closed. */
  sendEndlessBody(): void {
    const bytes = Buffer.alloc(65_536);
    const pump = () => {
      while (this.socket.writable && this.sendChunk(bytes));
    };
    this.socket.on('drain', pump);
    pump();
  }

  async sees(pattern: RegExp): Promise<void> {
    await waitUntil(
      () => pattern.test(this.received),
      () => `${String(pattern)} of ${this.received}`,
    );
  }

  /** Waits for the heads of `count` responses, or the end of the connection. Returns the statuses. */
  async statuses(count: number): Promise<string[]> {
    const found = () => [...this.received.matchAll(/HTTP\/1\.1 (\d{3})(?=[^]*?\r\n\r\n)/g)];
    await waitUntil(() => found().length >= count || this.socket.closed);
    return found().map(([, status = '']) => status);
  }
}
