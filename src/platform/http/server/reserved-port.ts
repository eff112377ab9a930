import { once } from 'node:events';
import { type AddressInfo, type Server, createServer } from 'node:net';

/**
 * A port that no other process can take until its holder comes to listening there, seconds later. A port that is in use
 * is noticed before anything starts.
 */
export class ReservedPort {
  private constructor(private readonly server: Server) {}

  /** @param port 0 takes any free one */
  static async reserve(host: string, port = 0): Promise<ReservedPort> {
    // Nobody is served yet, and no process is kept from ending.
    const server = createServer((socket) => socket.destroy()).unref();
    await once(server.listen(port, host), 'listening');
    return new ReservedPort(server);
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Does nothing when it has been done. */
  async release(): Promise<void> {
    if (!this.server.listening) return;
    const closed = once(this.server, 'close');
    this.server.close();
    await closed;
  }
}
