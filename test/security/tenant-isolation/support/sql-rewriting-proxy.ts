import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';

/** Codes of the encryption requests (SSL, GSSAPI) that can precede the start-up message (PostgreSQL documentation, 54.7). */
const ENCRYPTION_REQUESTS = [80877103, 80877104];

/**
 * A proxy between the service and its database, or between two nodes of a cluster, that rewrites the SQL in the messages
 * Parse and Query of PostgreSQL's protocol.
 */
export class SqlRewritingProxy {
  /** The SQL of all statements as sent to the database. */
  readonly forwarded = new Set<string>();
  /** The original SQL of the statements that were changed. */
  readonly changed = new Set<string>();
  private readonly sockets = new Set<net.Socket>();

  private constructor(
    private readonly server: net.Server,
    private readonly rewrite: (sql: string) => string,
    private readonly appliesTo: (user: string) => boolean,
    /** The database URL that leads through the proxy. */
    readonly url: string,
  ) {}

  /** @param appliesTo Whether the statements of this user are rewritten; asked for each connection. */
  static async start(
    url: string,
    rewrite: (sql: string) => string,
    appliesTo: (user: string) => boolean = () => true,
  ): Promise<SqlRewritingProxy> {
    const server = net.createServer();
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const through = new URL(url);
    through.hostname = '127.0.0.1';
    through.port = String((server.address() as AddressInfo).port);
    const proxy = new SqlRewritingProxy(server, rewrite, appliesTo, through.toString());
    const { port, hostname } = new URL(url);
    server.on('connection', (inner) => proxy.join(inner, net.connect(Number(port || 5432), hostname)));
    return proxy;
  }

  private join(inner: net.Socket, outer: net.Socket): void {
    for (const [from, to] of [
      [inner, outer],
      [outer, inner],
    ] as const) {
      this.sockets.add(from);
      from.setNoDelay(true);
      from.on('error', () => undefined);
      from.on('close', () => {
        this.sockets.delete(from);
        to.destroy();
      });
    }
    outer.on('data', (bytes) => inner.write(bytes));
    let waiting: Buffer = Buffer.alloc(0);
    let hasStarted = false;
    let rewrites = false;
    inner.on('data', (bytes: Buffer) => {
      waiting = Buffer.concat([waiting, bytes]);
      const messages: Buffer[] = [];
      for (;;) {
        // All messages but the start-up message begin with a type byte.
        const head = hasStarted ? 1 : 0;
        if (waiting.length < head + 4) break;
        const end = head + waiting.readInt32BE(head);
        if (waiting.length < end) break;
        const message = waiting.subarray(0, end);
        waiting = waiting.subarray(end);
        messages.push(rewrites ? this.rewritten(message) : message);
        if (!hasStarted) {
          hasStarted = !ENCRYPTION_REQUESTS.includes(message.readInt32BE(4));
          rewrites = hasStarted && this.appliesTo(userOf(message));
        }
      }
      if (messages.length > 0) outer.write(Buffer.concat(messages));
    });
  }

  private rewritten(message: Buffer): Buffer {
    const type = String.fromCharCode(message[0] ?? 0);
    if (type !== 'P' && type !== 'Q') return message;
    // In Parse, the statement's name precedes the SQL.
    const begin = type === 'P' ? message.indexOf(0, 5) + 1 : 5;
    const end = message.indexOf(0, begin);
    const before = message.subarray(begin, end).toString();
    const after = this.rewrite(before);
    this.forwarded.add(after);
    if (after !== before) this.changed.add(before);
    const result = Buffer.concat([message.subarray(0, begin), Buffer.from(after), message.subarray(end)]);
    result.writeInt32BE(result.length - 1, 1);
    return result;
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
    await once(this.server, 'close');
  }
}

/** The user of a start-up message: names and values, each ended by a zero byte, after length and version. */
function userOf(message: Buffer): string {
  const parameters = message.subarray(8).toString().split('\0');
  return parameters[parameters.indexOf('user') + 1] ?? '';
}
