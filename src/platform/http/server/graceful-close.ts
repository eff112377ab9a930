import { type Server, type ServerResponse } from 'node:http';
import { type Socket, Server as NetServer } from 'node:net';
import { onClose } from './on-close.js';

/**
 * How long an idle connection stays open after the server has begun to close, because the client's next request may
 * be on its way. Delays a stop by at most this time.
 */
const IDLE_GRACE_MS = 1000;
const SWEEP_MS = 50;

interface Connection {
  /** Number of requests whose response is not complete. */
  pending: number;
  /** Response to the latest request. */
  latest?: ServerResponse;
  /** When `pending` became 0. */
  idleSince: number;
  /** Bytes received by then. If more have arrived, the next request is being received. */
  bytesRead: number;
}

/**
 * Closes an HTTP server without losing a request. Node's `close` ends idle connections at once, although a request
 * may be on its way, and also connections whose response is written but not sent, so that a slow client gets only a
 * part. Here, every response after the start of closing has `Connection: close`, so that the client sends no further
 * request on that connection (RFC 9112, 9.6). The other connections are closed after an idle time.
 */
export class GracefulClose {
  private readonly connections = new Map<Socket, Connection>();
  private closingSince?: number;

  /** Must be created before the server listens. */
  constructor(private readonly server: Server) {
    server.on('connection', (socket) => {
      this.connections.set(socket, { pending: 0, idleSince: performance.now(), bytesRead: 0 });
      socket.once('close', () => this.connections.delete(socket));
    });
    server.prependListener('request', ({ socket }, response) => this.begin(socket, response));
  }

  /** @returns false if connections had to be closed with pending requests after `timeoutMs` */
  async close(timeoutMs: number): Promise<boolean> {
    const { server } = this;
    if (!server.listening) return true;
    this.closingSince = performance.now();
    for (const { latest } of this.connections.values()) if (latest) endAfter(latest);
    // First accept the connections that are already established.
    await new Promise((resolve) => setImmediate(resolve));
    // Not `close` of the HTTP server, which ends idle connections.
    const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()));
    let cutOff = false;
    const timer = setTimeout(() => {
      this.closeIdle(0);
      cutOff = this.connections.size > 0;
      server.closeAllConnections();
    }, timeoutMs);
    const sweep = setInterval(() => {
      // Read the bytes that have arrived first.
      setImmediate(() => this.closeIdle(IDLE_GRACE_MS));
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
      // With pipelined requests, only the last response may end the connection.
      const { latest } = connection;
      if (latest && !latest.headersSent) latest.shouldKeepAlive = true;
      endAfter(response);
    }
    connection.latest = response;
    connection.pending += 1;
    onClose(response, () => {
      connection.pending -= 1;
      connection.idleSince = performance.now();
      connection.bytesRead = socket.bytesRead;
      if (connection.latest === response) connection.latest = undefined;
    });
  }

  private closeIdle(graceMs: number): void {
    const now = performance.now();
    for (const [socket, { pending, idleSince, bytesRead }] of this.connections) {
      const idled = now - Math.max(idleSince, this.closingSince ?? now);
      if (pending === 0 && socket.bytesRead === bytesRead && idled >= graceMs) {
        socket.destroy();
        this.connections.delete(socket);
      }
    }
  }
}

/** Adds `Connection: close`. Has no effect after the headers have been sent. */
function endAfter(response: ServerResponse): void {
  response.shouldKeepAlive = false;
}
