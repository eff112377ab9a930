import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';

/** Stands between the service and its database, and can fall silent as a lost host does: nothing moves, nothing ends. */
export class TcpProxy {
  private readonly sockets = new Set<net.Socket>();
  private isPaused = false;
  /** Bytes that came from the side of the service. */
  received = 0;
  /** Of each connection, what the client said first (PostgreSQL's start-up message): user, database, options … */
  readonly startups: Record<string, string>[] = [];

  private constructor(private readonly server: net.Server) {}

  /** In front of what `url` names; `url` of the result leads through it. */
  static async start(url: string): Promise<{ proxy: TcpProxy; url: string }> {
    const target = new URL(url);
    const server = net.createServer();
    const proxy = new TcpProxy(server);
    server.on('connection', (inner) =>
      proxy.forward(inner, net.connect(Number(target.port), target.hostname)),
    );
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const through = new URL(url);
    through.hostname = '127.0.0.1';
    through.port = String((server.address() as AddressInfo).port);
    return { proxy, url: through.toString() };
  }

  private forward(inner: net.Socket, outer: net.Socket): void {
    inner.once('data', (message) => this.startups.push(startupParameters(message)));
    for (const [from, to] of [
      [inner, outer],
      [outer, inner],
    ] as const) {
      this.sockets.add(from);
      from.on('data', (bytes) => {
        if (from === inner) this.received += bytes.length;
        if (!this.isPaused) to.write(bytes);
      });
      from.on('error', () => undefined);
      from.on('close', () => to.destroy());
    }
  }

  stopForwarding(): void {
    this.isPaused = true;
  }

  resumeForwarding(): void {
    this.isPaused = false;
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
    await once(this.server, 'close');
  }
}

/** Names and values in turn, each ended by NUL, after the message's length and the version of the protocol. */
function startupParameters(message: Buffer): Record<string, string> {
  const words = message.toString('utf8', 8).split('\0');
  const parameters: Record<string, string> = {};
  for (let i = 0; i + 1 < words.length; i += 2) parameters[words[i] ?? ''] = words[i + 1] ?? '';
  return parameters;
}
