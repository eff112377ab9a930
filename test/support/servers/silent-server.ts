import { once } from 'node:events';
import { type AddressInfo, type Socket, createServer } from 'node:net';

/** Accepts connections on a loopback port, and never answers. */
export class SilentServer {
  /** Number of connections that were opened. */
  connections = 0;
  private readonly sockets: Socket[] = [];
  private readonly server = createServer((socket) => {
    this.connections += 1;
    this.sockets.push(socket.on('error', () => undefined));
  });

  static async start(): Promise<SilentServer> {
    const silent = new SilentServer();
    await once(silent.server.listen(0, '127.0.0.1'), 'listening');
    return silent;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await once(this.server.close(), 'close');
  }
}
