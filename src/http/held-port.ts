import { once } from 'node:events';
import { type AddressInfo, type Server, createServer } from 'node:net';

/** A free port that nobody else is given until whoever chose it comes to listening there, seconds later. */
export class HeldPort {
  private constructor(private readonly server: Server) {}

  static async choose(host: string): Promise<HeldPort> {
    // Nobody is served yet, and no process is kept from ending.
    const server = createServer((socket) => socket.destroy()).unref();
    await once(server.listen(0, host), 'listening');
    return new HeldPort(server);
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  async letGo(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    await closed;
  }
}
