import { once } from 'node:events';
import { type LookupAddress } from 'node:dns';
import http from 'node:http';
import https from 'node:https';
import net, { type AddressInfo, type Server } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { hostResolver } from '../../../../src/resources/webhooks/sending/host-names.js';
import { ReceiverAddresses } from '../../../../src/resources/webhooks/sending/receiver-addresses.js';
import {
  WebhookClient,
  type WebhookClientOptions,
} from '../../../../src/resources/webhooks/sending/webhook-client.js';
import { selfSignedCertificate } from '../../../support/servers/certificates.js';
import { waitUntil } from '../../../support/wait-until.js';

const HEADERS = { 'content-type': 'application/json' };
const LOOPBACK: LookupAddress = { address: '127.0.0.1', family: 4 };

describe('WebhookClient', () => {
  const servers: Server[] = [];
  afterEach(() => {
    for (const server of servers.splice(0)) {
      if (server instanceof http.Server) server.closeAllConnections();
      server.close();
    }
  });

  async function listen(server: Server): Promise<number> {
    servers.push(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  }
  /** A TCP server that answers the first bytes of each connection. */
  const raw = (answer: (socket: net.Socket) => void) =>
    listen(
      net.createServer((socket) => {
        socket.on('error', () => undefined);
        socket.once('data', () => answer(socket));
      }),
    );
  const client = (options: Partial<WebhookClientOptions> = {}) =>
    new WebhookClient({
      addresses: new ReceiverAddresses([], true),
      resolveHost: hostResolver(false),
      allowHttp: true,
      ...options,
    });
  const send = (url: string, options: Partial<WebhookClientOptions> = {}) =>
    client(options).send({ url, headers: HEADERS, body: '{"a":"ä"}' });

  it('sends the body with its length in bytes, and returns the status', async () => {
    const bodies: string[] = [];
    const port = await listen(
      http.createServer((request, response) => {
        void request.toArray().then((chunks: Buffer[]) => {
          bodies.push(
            `${request.method} ${request.headers['content-length']} ${Buffer.concat(chunks).toString()}`,
          );
          response.writeHead(202).end('thanks');
        });
      }),
    );
    expect(await send(`http://127.0.0.1:${port}/`)).toEqual({
      error: null,
      statusCode: 202,
      durationMs: expect.any(Number),
      retryAfter: 0,
    });
    expect(bodies).toEqual(['POST 10 {"a":"ä"}']);
  });

  it('resolves the name once and connects to the checked address', async () => {
    let connections = 0;
    const port = await listen(
      http
        .createServer((_request, response) => response.writeHead(200).end())
        .on('connection', () => (connections += 1)),
    );
    // A name server that answers a public address first, and a private one to the second query.
    const answers = [[LOOPBACK], [{ address: '10.0.0.1', family: 4 }]];
    const asked: string[] = [];
    const resolveHost = (hostname: string) => {
      asked.push(hostname);
      return Promise.resolve(answers.shift() ?? []);
    };
    const url = `http://rebinding.example:${port}/`;
    expect(await send(url, { resolveHost })).toMatchObject({ error: null, statusCode: 200 });
    expect([asked, connections]).toEqual([['rebinding.example'], 1]);
    expect(await send(url, { resolveHost })).toMatchObject({ error: 'AddressRefused', statusCode: null });
    expect(connections).toBe(1);
  });

  it.each([
    ['one of several addresses', [LOOPBACK, { address: '10.0.0.1', family: 4 }]],
    ['an IPv4-mapped address', [{ address: '::ffff:10.0.0.1', family: 6 }]],
    ['no address', []],
  ])('refuses a name with %s that is not allowed', async (_, addresses) => {
    const port = await listen(http.createServer((_request, response) => response.end()));
    const resolveHost = () => Promise.resolve(addresses);
    expect(await send(`http://receiver.example:${port}/`, { resolveHost })).toMatchObject({
      error: 'AddressRefused',
    });
  });

  it.each([
    'http://10.0.0.1/',
    'http://[::ffff:127.0.0.1]/',
    'http://169.254.169.254/latest',
    'https://[fe80::1]/',
  ])('refuses %s in production without a connection', async (url) => {
    const addresses = new ReceiverAddresses([], false);
    expect(await send(url, { addresses })).toMatchObject({ error: 'AddressRefused', statusCode: null });
  });

  it('refuses http in production, also to a public address', async () => {
    expect(await send('http://1.1.1.1/', { allowHttp: false })).toMatchObject({ error: 'AddressRefused' });
  });

  it('uses no proxy from the environment', async () => {
    const port = await listen(http.createServer((_request, response) => response.writeHead(204).end()));
    const names = ['http_proxy', 'HTTP_PROXY', 'NODE_USE_ENV_PROXY'];
    const before = names.map((name) => process.env[name]);
    for (const name of names) process.env[name] = name.startsWith('NODE') ? '1' : 'http://127.0.0.1:1/';
    try {
      expect(await send(`http://127.0.0.1:${port}/`)).toMatchObject({ error: null });
    } finally {
      names.forEach((name, index) => {
        if (before[index] === undefined) delete process.env[name];
        else process.env[name] = before[index];
      });
    }
  });

  it('does not follow a redirect', async () => {
    let requests = 0;
    const port = await listen(
      http.createServer((_request, response) => {
        requests += 1;
        response.writeHead(307, { location: '/other' }).end();
      }),
    );
    expect(await send(`http://127.0.0.1:${port}/`)).toMatchObject({ error: 'Redirect', statusCode: 307 });
    expect(requests).toBe(1);
  });

  it('returns the Retry-After header', async () => {
    const port = await listen(
      http.createServer((_request, response) => response.writeHead(429, { 'retry-after': '7' }).end()),
    );
    expect(await send(`http://127.0.0.1:${port}/`)).toMatchObject({
      error: 'BadStatus',
      statusCode: 429,
      retryAfter: 7,
    });
  });

  it('compares a date in Retry-After with the clock of the receiver', async () => {
    const hourOf = (hours: number) => new Date(Date.now() + hours * 3_600_000).toUTCString();
    const port = await listen(
      http.createServer((_request, response) =>
        response.writeHead(503, { date: hourOf(2), 'retry-after': hourOf(3) }).end(),
      ),
    );
    const { retryAfter } = await send(`http://127.0.0.1:${port}/`);
    expect(Math.round(retryAfter / 60)).toBe(60);
  });

  it('reads at most 64 KiB of an endless body', async () => {
    let sent = 0;
    const port = await raw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n');
      const chunk = `4000\r\n${'x'.repeat(0x4000)}\r\n`;
      const more = () => {
        while (!socket.destroyed && socket.write(chunk)) sent += chunk.length;
        socket.once('drain', more);
      };
      more();
    });
    expect(await send(`http://127.0.0.1:${port}/`)).toMatchObject({ error: null, statusCode: 200 });
    // Besides what the sockets buffer.
    expect(sent).toBeLessThan(20_000_000);
  });

  it.each([
    ['shorter than its Content-Length', 'HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nshort'],
    ['with an invalid chunk', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n'],
  ])('takes the status of an answer %s', async (_, answer) => {
    const port = await raw((socket) => socket.end(answer));
    expect(await send(`http://127.0.0.1:${port}/`)).toMatchObject({ error: null, statusCode: 200 });
  });

  it.each([
    ['is not HTTP', 'hello\r\n\r\n'],
    ['has too large header fields', `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`],
    ['is empty', ''],
    ['has endless interim answers', 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(1000)],
  ])('fails when the answer %s', async (_, answer) => {
    const port = await raw((socket) => socket.end(answer));
    expect(await send(`http://127.0.0.1:${port}/`)).toMatchObject({
      error: 'ConnectionFailed',
      statusCode: null,
    });
  });

  it('fails when no server listens', async () => {
    const port = await listen(net.createServer());
    servers.pop()?.close();
    expect(await send(`http://127.0.0.1:${port}/`)).toMatchObject({ error: 'ConnectionFailed' });
  });

  it.each([
    ['accepts no request', () => undefined],
    ['sends header fields without end', (socket: net.Socket) => socket.write('HTTP/1.1 200 OK\r\nX: y\r\n')],
  ])('ends as Timeout when the receiver %s', async (_, answer) => {
    const port = await raw((socket) => void answer(socket));
    expect(await send(`http://127.0.0.1:${port}/`, { timeoutMs: 200 })).toMatchObject({
      error: 'Timeout',
      statusCode: null,
    });
  });

  it('ends as Timeout when the name server does not answer', async () => {
    const resolveHost = () => new Promise<never>(() => undefined);
    expect(await send('http://receiver.example/', { resolveHost, timeoutMs: 200 })).toMatchObject({
      error: 'Timeout',
    });
  });

  it('ends at the status line, and then closes a connection whose body does not end', async () => {
    let socket: net.Socket | undefined;
    const port = await raw((connected) => {
      socket = connected;
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n');
      const drip = setInterval(() => connected.write('x'), 50);
      connected.once('close', () => clearInterval(drip));
    });
    expect(await send(`http://127.0.0.1:${port}/`)).toMatchObject({ error: null, statusCode: 200 });
    expect(socket?.destroyed).toBe(false);
    // Not `once` of node:events: it rejects if the connection is reset, because bytes were not read.
    await waitUntil(() => socket?.closed === true, 'the end of the connection');
  });

  it('reads the bodies of at most 100 answers at the same time', async () => {
    let open = 0;
    const port = await raw((socket) => {
      open += 1;
      socket.once('close', () => (open -= 1));
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nx');
    });
    const one = client();
    const request = { url: `http://127.0.0.1:${port}/`, headers: HEADERS, body: '{}' };
    const results = await Promise.all(Array.from({ length: 120 }, () => one.send(request)));
    expect(results.filter(({ error }) => error === null)).toHaveLength(120);
    await waitUntil(() => open <= 100, 'the end of the other connections');
    expect(open).toBe(100);
    await waitUntil(() => open === 0, 'the end of all connections');
  });

  describe('with TLS', () => {
    it('verifies the certificate and its name', async () => {
      const { key, cert } = await selfSignedCertificate('receiver.example');
      const port = await listen(
        https.createServer({ key, cert }, (_request, response) => response.writeHead(204).end()),
      );
      const resolveHost = () => Promise.resolve([LOOPBACK]);
      const options = { resolveHost, allowHttp: false };
      const [trusted, untrusted, otherName] = [
        await send(`https://receiver.example:${port}/`, { ...options, ca: cert }),
        await send(`https://receiver.example:${port}/`, options),
        await send(`https://other.example:${port}/`, { ...options, ca: cert }),
      ];
      expect(trusted).toMatchObject({ error: null, statusCode: 204 });
      expect([untrusted.error, otherName.error]).toEqual(['TlsFailed', 'TlsFailed']);
    });

    it('fails when the receiver speaks no TLS', async () => {
      const port = await raw((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
      expect(await send(`https://127.0.0.1:${port}/`)).toMatchObject({ error: 'TlsFailed' });
    });
  });
});
