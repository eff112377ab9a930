import { once } from 'node:events';
import net from 'node:net';
import { waitFor } from '../../support/wait-until.js';
import { type RawAnswer } from '../../support/raw-http.js';

/** A request whose last byte is sent only by `finish`. */
export class OpenRequest {
  private text = '';
  private isClosed = false;

  private constructor(
    private readonly socket: net.Socket,
    private readonly lastByte: Buffer,
  ) {
    socket.setEncoding('latin1').on('data', (part: string) => (this.text += part));
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

  /** The status of the response; 0 before it arrives, -1 when the connection closed without one. */
  get status(): number {
    if (this.text.includes('\r\n\r\n')) return Number(this.text.split(' ')[1]);
    return this.isClosed ? -1 : 0;
  }

  get response(): RawAnswer {
    const [headers = '', body = ''] = this.text.split('\r\n\r\n', 2);
    return { status: this.status, headers, body };
  }

  finish(): void {
    if (this.socket.writable) this.socket.write(this.lastByte);
  }

  async waitForResponse(): Promise<RawAnswer> {
    await waitFor(() => this.status !== 0 || undefined, 'A response');
    return this.response;
  }

  close(): void {
    this.socket.destroy();
  }
}
