import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';

/** Stands between the service and its database, and can fall silent as a lost host does: nothing moves, nothing ends. */
export class TcpProxy {
  private readonly sockets = new Set<net.Socket>();
  private silent = false;
  /** Bytes that came from the side of the service. */
  received = 0;

  private constructor(private readonly server: net.Server) {}

  /** In front of what `url` names; `url` of the result leads through it. */
  static async start(url: string): Promise<{ proxy: TcpProxy; url: string }> {
    const target = new URL(url);
    const server = net.createServer();
    const proxy = new TcpProxy(server);
    server.on('connection', (inner) => proxy.join(inner, net.connect(Number(target.port), target.hostname)));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const through = new URL(url);
    through.hostname = '127.0.0.1';
    through.port = String((server.address() as AddressInfo).port);
    return { proxy, url: through.toString() };
  }

  private join(inner: net.Socket, outer: net.Socket): void {
    for (const [from, to] of [
      [inner, outer],
      [outer, inner],
    ] as const) {
      this.sockets.add(from);
      from.on('data', (bytes) => {
        if (from === inner) this.received += bytes.length;
        if (!this.silent) to.write(bytes);
      });
      from.on('error', () => undefined);
      from.on('close', () => to.destroy());
    }
  }

  fallSilent(): void {
    this.silent = true;
  }

  speakAgain(): void {
    this.silent = false;
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
    await once(this.server, 'close');
  }
}
