import { once } from 'node:events';
import net from 'node:net';
import { listen } from './local-server.js';

/** A proxy between the service and its database. It can stop forwarding without closing, like a host that has lost its network. */
export class TcpProxy {
  private readonly sockets = new Set<net.Socket>();
  private isPaused = false;
  /** Number of bytes received from the service. */
  received = 0;
  /** Parameters of the PostgreSQL start-up message of each connection: user, database, options … */
  readonly startups: Record<string, string>[] = [];

  private constructor(private readonly server: net.Server) {}

  /** Starts a proxy for the server of `url`. The returned `url` connects through the proxy. */
  static async start(url: string): Promise<{ proxy: TcpProxy; url: string }> {
    const target = new URL(url);
    const server = net.createServer();
    const proxy = new TcpProxy(server);
    server.on('connection', (client) =>
      proxy.forward(client, net.connect(Number(target.port), target.hostname)),
    );
    const through = new URL(url);
    through.hostname = '127.0.0.1';
    through.port = new URL(await listen(server)).port;
    return { proxy, url: through.toString() };
  }

  private forward(client: net.Socket, server: net.Socket): void {
    client.once('data', (message) => this.startups.push(startupParameters(message)));
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      this.sockets.add(from);
      from.on('data', (bytes) => {
        if (from === client) this.received += bytes.length;
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

/** The message has a length and a protocol version, then names and values alternately, each terminated by NUL. */
function startupParameters(message: Buffer): Record<string, string> {
  const words = message.toString('utf8', 8).split('\0');
  const parameters: Record<string, string> = {};
  for (let i = 0; i + 1 < words.length; i += 2) parameters[words[i] ?? ''] = words[i + 1] ?? '';
  return parameters;
}
