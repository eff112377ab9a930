import { once } from 'node:events';
import { type AddressInfo, type Server, createServer } from 'node:net';

/**
 * Reserves a port at the beginning of the start, seconds before the service listens on it. No other process can take
 * the port meanwhile, and a port in use is reported before anything else starts.
 */
export class ReservedPort {
  private constructor(private readonly server: Server) {}

  /** @param port 0 for any free port */
  static async reserve(host: string, port = 0): Promise<ReservedPort> {
    // Reject connections, and do not keep the process alive.
    const server = createServer((socket) => socket.destroy()).unref();
    await once(server.listen(port, host), 'listening');
    return new ReservedPort(server);
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Can be called more than once. */
  async release(): Promise<void> {
    if (!this.server.listening) return;
    const closed = once(this.server, 'close');
    this.server.close();
    await closed;
  }
}
