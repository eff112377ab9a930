import { type Server, type ServerResponse } from 'node:http';
import { type Socket, Server as NetServer } from 'node:net';
import { onClose } from './on-close.js';

/**
 * How long a connection may idle once the server closes: the client's next request may be on its way, and is answered
 * still. It costs a stop at most this long.
 */
const FAREWELL_MS = 1000;
const SWEEP_MS = 50;

interface Connection {
  /** Requests that have come and are not answered to the end. */
  owed: number;
  /** Answer to the latest request. */
  latest?: ServerResponse;
  /** Since when nothing is owed. */
  since: number;
  /** Bytes that had been read by then: one that has sent more since is in the middle of its next request. */
  read: number;
}

/**
 * Closes an HTTP server without losing a request. Node's own way cuts connections that idle at once, while a request
 * may be on its way over them, and also those whose answer has been written but not sent: a client that reads slowly
 * would get a part of it. Here every answer from the closing on says `Connection: close`, so that its client sends
 * nothing more over that connection (RFC 9112, 9.6), and the rest are closed when they have idled for a while.
 */
export class GracefulClose {
  private readonly connections = new Map<Socket, Connection>();
  private closingSince?: number;

  /** To be made before the server listens. */
  constructor(private readonly server: Server) {
    server.on('connection', (socket) => {
      this.connections.set(socket, { owed: 0, since: performance.now(), read: 0 });
      socket.once('close', () => this.connections.delete(socket));
    });
    server.prependListener('request', ({ socket }, response) => this.begin(socket, response));
  }

  /** @returns false when something had to be cut off after `timeoutMs` */
  async close(timeoutMs: number): Promise<boolean> {
    const { server } = this;
    if (!server.listening) return true;
    this.closingSince = performance.now();
    for (const { latest } of this.connections.values()) if (latest) endAfter(latest);
    // What has been connected by now is taken before nobody listens any more.
    await new Promise((resolve) => setImmediate(resolve));
    // Not the HTTP server's own, which cuts what idles.
    const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()));
    let cutOff = false;
    const timer = setTimeout(() => {
      this.closeIdle(0);
      cutOff = this.connections.size > 0;
      server.closeAllConnections();
    }, timeoutMs);
    const sweep = setInterval(() => {
      // After the bytes that have arrived meanwhile have been read.
      setImmediate(() => this.closeIdle(FAREWELL_MS));
    }, SWEEP_MS);
    await closed;
    clearInterval(sweep);
    clearTimeout(timer);
    return !cutOff;
  }

  private begin(socket: Socket, response: ServerResponse): void {
    const connection = this.connections.get(socket);
    if (!connection) return;
    if (this.closingSince !== undefined) {
      // Of several requests that were sent at once, only the last ends the connection.
      const { latest } = connection;
      if (latest && !latest.headersSent) latest.shouldKeepAlive = true;
      endAfter(response);
    }
    connection.latest = response;
    connection.owed += 1;
    onClose(response, () => {
      connection.owed -= 1;
      connection.since = performance.now();
      connection.read = socket.bytesRead;
      if (connection.latest === response) connection.latest = undefined;
    });
  }

  private closeIdle(graceMs: number): void {
    const now = performance.now();
    for (const [socket, { owed, since, read }] of this.connections) {
      const idled = now - Math.max(since, this.closingSince ?? now);
      if (owed === 0 && socket.bytesRead === read && idled >= graceMs) {
        socket.destroy();
        this.connections.delete(socket);
      }
    }
  }
}

/** Has no effect where the header is on its way already. */
function endAfter(response: ServerResponse): void {
  response.shouldKeepAlive = false;
}
