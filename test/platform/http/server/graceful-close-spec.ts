import { once } from 'node:events';
import http, { type Server } from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { GracefulClose } from '../../../../src/platform/http/server/graceful-close.js';
import { waitUntil, WAIT_TIMEOUT_MS } from '../../../support/wait-until.js';

const LARGE = Buffer.alloc(24 * 1024 * 1024, 'x');
const GET = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;

/** A client that sees bytes and the end of the connection. */
class Wire {
  received = '';
  readonly ended: Promise<'ended' | Error>;

  private constructor(readonly socket: net.Socket) {
    socket.setEncoding('latin1').on('data', (text: string) => (this.received += text));
    this.ended = new Promise((resolve) => {
      socket.on('error', resolve);
      socket.on('close', () => resolve('ended'));
    });
  }

  static async to(port: number): Promise<Wire> {
    const socket = net.connect(port, '127.0.0.1');
    await once(socket, 'connect');
    return new Wire(socket);
  }

  send(text: string): void {
    this.socket.write(text);
  }

  async sees(pattern: RegExp): Promise<void> {
    await waitUntil(
      () => pattern.test(this.received),
      () => `${String(pattern)} of ${this.received}`,
    );
  }
}

describe('Closing the HTTP server', () => {
  let server: Server;
  let closing: GracefulClose;
  let port: number;
  /** Answers `/held` when told. */
  let release: () => void;
  /** Requests that have come. */
  let seen: number;
  /** Connections that the server has taken; whoever connects is told a moment before. */
  let taken: number;

  async function listen(): Promise<void> {
    const told = new Promise<void>((resolve) => (release = resolve));
    seen = 0;
    taken = 0;
    server = http.createServer((request, response) => {
      seen += 1;
      if (request.url === '/held') void told.then(() => response.end('held answer'));
      else if (request.url === '/large') response.end(LARGE);
      else response.end(`answer to ${request.url}`);
    });
    server.on('connection', () => (taken += 1));
    closing = new GracefulClose(server);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    ({ port } = server.address() as AddressInfo);
  }

  afterEach(() => {
    release();
    server.closeAllConnections();
    server.close();
  });

  it('answers what is under way and what comes over connections that idle, and says that it was the last', async () => {
    await listen();
    const [busy, idle, silent] = [await Wire.to(port), await Wire.to(port), await Wire.to(port)];
    idle.send(GET('/first'));
    await idle.sees(/answer to \/first$/);
    expect(idle.received).not.toMatch(/connection: close/i);
    busy.send(GET('/held'));
    silent.send('GET /late HTTP/1.1\r\nHos');
    await waitUntil(() => seen === 2);
    await sleep(50);

    const closed = closing.close(WAIT_TIMEOUT_MS);
    idle.send(GET('/second'));
    await idle.sees(/connection: close[^]*answer to \/second$/i);
    expect(await idle.ended).toBe('ended');
    const refused = net.connect(port, '127.0.0.1');
    expect(await once(refused, 'error')).toMatchObject([{ code: 'ECONNREFUSED' }]);
    release();
    await busy.sees(/connection: close[^]*held answer$/i);
    expect(await busy.ended).toBe('ended');
    // Its request has begun, so it is waited for.
    silent.send('t: x\r\n\r\n');
    await silent.sees(/connection: close[^]*answer to \/late$/i);
    expect(await silent.ended).toBe('ended');
    expect(await closed).toBe(true);
  });

  it('answers all of several requests that were sent at once, in their order', async () => {
    await listen();
    const wire = await Wire.to(port);
    wire.send(GET('/held') + GET('/second') + GET('/third'));
    await waitUntil(() => seen === 3);
    const closed = closing.close(WAIT_TIMEOUT_MS);
    wire.send(GET('/fourth'));
    await waitUntil(() => seen === 4);
    release();
    expect(await wire.ended).toBe('ended');
    expect(wire.received.match(/held answer|answer to \/[a-z]+/g)).toEqual([
      'held answer',
      'answer to /second',
      'answer to /third',
      'answer to /fourth',
    ]);
    expect(wire.received.match(/connection: close/gi)).toHaveLength(1);
    expect(await closed).toBe(true);
  });

  it('sends an answer to its end however slowly it is read', async () => {
    await listen();
    const wire = await Wire.to(port);
    wire.socket.pause();
    wire.send(GET('/large'));
    await waitUntil(() => seen === 1);
    await sleep(200);
    const closed = closing.close(WAIT_TIMEOUT_MS);
    // Written long ago, and not sent: nobody reads.
    await sleep(500);
    wire.socket.resume();
    expect(await wire.ended).toBe('ended');
    expect(wire.received.length - wire.received.indexOf('\r\n\r\n') - 4).toBe(LARGE.length);
    expect(await closed).toBe(true);
  });

  it('closes what idles in the end, and what has not begun', async () => {
    await listen();
    const [idle, fresh] = [await Wire.to(port), await Wire.to(port)];
    await waitUntil(() => taken === 2);
    idle.send(GET('/first'));
    await idle.sees(/answer to \/first$/);
    expect(await closing.close(WAIT_TIMEOUT_MS)).toBe(true);
    expect([await idle.ended, await fresh.ended]).toEqual(['ended', 'ended']);
  });

  it('cuts off what does not end in time, and tells so; what idles is none of that', async () => {
    await listen();
    const idle = await Wire.to(port);
    await waitUntil(() => taken === 1);
    expect(await closing.close(100)).toBe(true);
    expect(await idle.ended).toBe('ended');

    await listen();
    const busy = await Wire.to(port);
    busy.send(GET('/held'));
    await waitUntil(() => seen === 1);
    expect(await closing.close(100)).toBe(false);
    await busy.ended;
    expect(busy.received).toBe('');
  });
});
