import { once } from 'node:events';
import net from 'node:net';
import { waitFor } from '../../support/wait-until.js';
import { type RawAnswer } from '../../support/raw-http.js';

/** A request whose last byte is held back until `finish`. */
export class OpenRequest {
  private received = '';
  private isClosed = false;

  private constructor(
    private readonly socket: net.Socket,
    private readonly last: Buffer,
  ) {
    socket.setEncoding('latin1').on('data', (text: string) => (this.received += text));
    socket.on('error', () => undefined).on('close', () => (this.isClosed = true));
  }

  static async post(base: string, target: string, token: string, body: string): Promise<OpenRequest> {
    const { hostname, port } = new URL(base);
    const bytes = Buffer.from(body);
    const socket = net.connect(Number(port), hostname);
    const request = new OpenRequest(socket, bytes.subarray(-1));
    await once(socket, 'connect');
    socket.write(
      `POST ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${token}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${bytes.length}\r\n\r\n`,
    );
    socket.write(bytes.subarray(0, -1));
    return request;
  }

  /** 0 while there is no answer; -1 when the connection ended without one. */
  get status(): number {
    if (this.received.includes('\r\n\r\n')) return Number(this.received.split(' ')[1]);
    return this.isClosed ? -1 : 0;
  }

  get answer(): RawAnswer {
    const [headers = '', body = ''] = this.received.split('\r\n\r\n', 2);
    return { status: this.status, headers, body };
  }

  finish(): void {
    if (this.socket.writable) this.socket.write(this.last);
  }

  async answered(): Promise<RawAnswer> {
    await waitFor(() => this.status !== 0 || undefined, 'An answer');
    return this.answer;
  }

  close(): void {
    this.socket.destroy();
  }
}
