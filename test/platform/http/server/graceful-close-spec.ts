import { once } from 'node:events';
import http, { type Server } from 'node:http';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { GracefulClose } from '../../../../src/platform/http/server/graceful-close.js';
import { RawClient } from '../../../support/raw-client.js';
import { listen } from '../../../support/servers/local-server.js';
import { waitUntil, WAIT_TIMEOUT_MS } from '../../../support/wait-until.js';

const LARGE = Buffer.alloc(24 * 1024 * 1024, 'x');
const GET = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;

describe('GracefulClose', () => {
  let server: Server;
  let closing: GracefulClose;
  let url: string;
  /** Lets the server answer `/held`. */
  let release: () => void;
  let requestCount: number;
  /** A client sees its connection established slightly earlier. */
  let connectionCount: number;

  async function start(): Promise<void> {
    const released = new Promise<void>((resolve) => (release = resolve));
    requestCount = 0;
    connectionCount = 0;
    server = http.createServer((request, response) => {
      requestCount += 1;
      if (request.url === '/held') void released.then(() => response.end('held answer'));
      else if (request.url === '/large') response.end(LARGE);
      else response.end(`answer to ${request.url}`);
    });
    server.on('connection', () => (connectionCount += 1));
    closing = new GracefulClose(server);
    url = await listen(server);
  }

  const connect = () => RawClient.open(url);

  afterEach(() => {
    release();
    server.closeAllConnections();
    server.close();
  });

  it('answers pending requests and new ones on idle connections, with Connection: close', async () => {
    await start();
    const [busy, idle, silent] = [await connect(), await connect(), await connect()];
    idle.send(GET('/first'));
    await idle.sees(/answer to \/first$/);
    expect(idle.received).not.toMatch(/connection: close/i);
    busy.send(GET('/held'));
    silent.send('GET /late HTTP/1.1\r\nHos');
    await waitUntil(() => requestCount === 2);
    await sleep(50);

    const closed = closing.close(WAIT_TIMEOUT_MS);
    idle.send(GET('/second'));
    await idle.sees(/connection: close[^]*answer to \/second$/i);
    expect(await idle.ended).toBe('ended');
    const refused = net.connect(Number(new URL(url).port), '127.0.0.1');
    expect(await once(refused, 'error')).toMatchObject([{ code: 'ECONNREFUSED' }]);
    release();
    await busy.sees(/connection: close[^]*held answer$/i);
    expect(await busy.ended).toBe('ended');
    // Part of the request had already arrived, so the server waits for the rest.
    silent.send('t: x\r\n\r\n');
    await silent.sees(/connection: close[^]*answer to \/late$/i);
    expect(await silent.ended).toBe('ended');
    expect(await closed).toBe(true);
  });

  it('answers all pipelined requests in order', async () => {
    await start();
    const client = await connect();
    client.send(GET('/held') + GET('/second') + GET('/third'));
    await waitUntil(() => requestCount === 3);
    const closed = closing.close(WAIT_TIMEOUT_MS);
    client.send(GET('/fourth'));
    await waitUntil(() => requestCount === 4);
    release();
    expect(await client.ended).toBe('ended');
    expect(client.received.match(/held answer|answer to \/[a-z]+/g)).toEqual([
      'held answer',
      'answer to /second',
      'answer to /third',
      'answer to /fourth',
    ]);
    expect(client.received.match(/connection: close/gi)).toHaveLength(1);
    expect(await closed).toBe(true);
  });

  it('sends a response completely to a slow client', async () => {
    await start();
    const client = await connect();
    client.socket.pause();
    client.send(GET('/large'));
    await waitUntil(() => requestCount === 1);
    await sleep(200);
    const closed = closing.close(WAIT_TIMEOUT_MS);
    // The response has been written but not sent, because the client does not read.
    await sleep(500);
    client.socket.resume();
    expect(await client.ended).toBe('ended');
    expect(client.received.length - client.received.indexOf('\r\n\r\n') - 4).toBe(LARGE.length);
    expect(await closed).toBe(true);
  });

  it('closes idle connections, and those without a request', async () => {
    await start();
    const [idle, fresh] = [await connect(), await connect()];
    await waitUntil(() => connectionCount === 2);
    idle.send(GET('/first'));
    await idle.sees(/answer to \/first$/);
    expect(await closing.close(WAIT_TIMEOUT_MS)).toBe(true);
    expect([await idle.ended, await fresh.ended]).toEqual(['ended', 'ended']);
  });

  it('closes pending connections after the timeout and returns false; true if all were idle', async () => {
    await start();
    const idle = await connect();
    await waitUntil(() => connectionCount === 1);
    expect(await closing.close(100)).toBe(true);
    expect(await idle.ended).toBe('ended');

    await start();
    const busy = await connect();
    busy.send(GET('/held'));
    await waitUntil(() => requestCount === 1);
    expect(await closing.close(100)).toBe(false);
    await busy.ended;
    expect(busy.received).toBe('');
  });
});
