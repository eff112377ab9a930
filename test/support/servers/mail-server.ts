import { type AddressInfo, type Socket } from 'node:net';
import { SMTPServer } from 'smtp-server';

export interface ReceivedMail {
  readonly from: string;
  readonly to: string[];
  readonly headers: Map<string, string>;
  /** Decoded body; of a message with several parts, the part in plain text. */
  readonly text: string;
  /** The part in HTML; empty without one. */
  readonly html: string;
  /** The message as transmitted. */
  readonly raw: Buffer;
}

/** A mail server on a loopback port that stores received messages. */
export class MailServer {
  readonly received: ReceivedMail[] = [];
  /** When set, every recipient is rejected with this text. */
  recipientError: string | undefined;
  /** Status with which recipients are rejected. */
  recipientStatus = 550;
  /** When set, the connection is closed after a message without an answer. The message is stored. */
  closesAfterMessage = false;
  /** Number of connections that were opened. */
  connections = 0;
  private readonly sockets = new Set<Socket>();
  /** Delay before it accepts a message. */
  delayMs = 0;
  /** Resolve functions of calls of `next` that wait for a message. */
  private waiters: (() => void)[] = [];

  private constructor(
    private readonly server: SMTPServer,
    readonly port: number,
  ) {}

  /** Accepts mail only with this login. */
  static async start(login = { user: 'filing', password: 'p@ss:word/?' }): Promise<MailServer> {
    let self: MailServer | undefined = undefined as MailServer | undefined;
    const server = new SMTPServer({
      logger: false,
      disabledCommands: ['STARTTLS'],
      allowInsecureAuth: true,
      authMethods: ['PLAIN', 'LOGIN'],
      onAuth: ({ username, password }, _session, callback) =>
        username === login.user && password === login.password
          ? callback(null, { user: username })
          : callback(new Error('Wrong login')),
      onRcptTo: ({ address }, _session, callback) =>
        self?.recipientError === undefined
          ? callback()
          : callback(
              Object.assign(new Error(`${self.recipientError} <${address}>`), {
                responseCode: self.recipientStatus,
              }),
            ),
      onData: (stream, session, callback) => {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => {
          const { mailFrom, rcptTo } = session.envelope;
          setTimeout(() => {
            self?.store({
              from: mailFrom ? mailFrom.address : '',
              to: rcptTo.map(({ address }) => address),
              ...parseMessage(Buffer.concat(chunks)),
            });
            if (self?.closesAfterMessage) self.destroyConnections();
            else callback();
          }, self?.delayMs ?? 0);
        });
      },
    });
    // Ignore clients that disconnect in the middle of a message.
    server.on('error', () => undefined);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const started = new MailServer(server, (server.server.address() as AddressInfo).port);
    self = started;
    server.server.on('connection', (socket: Socket) => {
      started.connections += 1;
      started.sockets.add(socket);
      socket.once('close', () => started.sockets.delete(socket));
    });
    return started;
  }

  url({ user = 'filing', password = 'p@ss:word/?' } = {}): string {
    return `smtp://${encodeURIComponent(user)}:${encodeURIComponent(password)}@127.0.0.1:${this.port}`;
  }

  /** Waits for the next message and removes it from `received`. */
  async next(): Promise<ReceivedMail> {
    if (this.received.length === 0) await new Promise<void>((resolve) => this.waiters.push(resolve));
    return this.received.shift() as ReceivedMail;
  }

  private destroyConnections(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  stop(): Promise<void> {
    return new Promise((resolve) => this.server.close(() => resolve()));
  }

  private store(mail: ReceivedMail): void {
    this.received.push(mail);
    for (const resolve of this.waiters.splice(0)) resolve();
  }
}

/** Parses a message (RFC 5322, RFC 2045 to 2047), as the service sends it. */
function parseMessage(raw: Buffer): Pick<ReceivedMail, 'headers' | 'text' | 'html' | 'raw'> {
  const { headers, body } = parsePart(raw.toString('utf8'));
  const boundary = /boundary="([^"]+)"/.exec(headers.get('content-type') ?? '')?.[1];
  if (boundary === undefined) return { headers, text: body, html: '', raw };
  const parts = raw
    .toString('utf8')
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => parsePart(part.replace(/^\r\n|\r\n$/g, '')));
  const bodyOf = (type: string) =>
    parts.find((part) => part.headers.get('content-type')?.startsWith(type))?.body ?? '';
  return { headers, text: bodyOf('text/plain'), html: bodyOf('text/html'), raw };
}

function parsePart(part: string): { headers: Map<string, string>; body: string } {
  const [head = '', ...rest] = part.split('\r\n\r\n');
  const headers = new Map<string, string>();
  for (const line of head.replace(/\r\n[ \t]+/g, ' ').split('\r\n')) {
    const [, name = '', value = ''] = /^([^:]+):\s*(.*)$/.exec(line) ?? [];
    headers.set(name.toLowerCase(), decodeWords(value));
  }
  const body = rest.join('\r\n\r\n');
  const encoding = headers.get('content-transfer-encoding');
  const bytes =
    encoding === 'base64'
      ? Buffer.from(body, 'base64')
      : encoding === 'quoted-printable'
        ? decodeQuotedPrintable(body.replace(/=\r\n/g, ''))
        : Buffer.from(body);
  return { headers, body: bytes.toString('utf8').replace(/\r\n/g, '\n') };
}

function decodeWords(value: string): string {
  return value
    .replace(/(\?=)\s+(=\?)/g, '$1$2')
    .replace(/=\?utf-8\?([BQ])\?([^?]*)\?=/gi, (_, kind: string, text: string) =>
      (kind.toUpperCase() === 'B'
        ? Buffer.from(text, 'base64')
        : decodeQuotedPrintable(text.replace(/_/g, ' '))
      ).toString('utf8'),
    );
}

function decodeQuotedPrintable(text: string): Buffer {
  return Buffer.from(
    text.replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))),
    'latin1',
  );
}
