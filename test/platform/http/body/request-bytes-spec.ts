import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { RequestBytes } from '../../../../src/platform/http/body/request-bytes.js';
import { waitUntil } from '../../../support/wait-until.js';

describe('RequestBytes', () => {
  let server: Server;
  let client: Socket;
  let request: IncomingMessage;
  beforeEach(async () => {
    const arrived = new Promise<IncomingMessage>((resolve) => {
      server = createServer(resolve);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    client = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {});
    client.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n');
    request = await arrived;
  });
  afterEach(async () => {
    client.destroy();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  it('returns the bytes as they arrive, and null at the end', async () => {
    const bytes = new RequestBytes(request, 10);
    client.write('hello');
    expect(String(await bytes.read())).toBe('hello');
    client.write('world');
    expect(String(await bytes.read())).toBe('world');
    expect(await bytes.read()).toBeNull();
    expect(await bytes.read()).toBeNull();
  });

  it('rejects a pending read on release, and keeps the connection open', async () => {
    const bytes = new RequestBytes(request, 10);
    const waiting = bytes.read();

    bytes.release();

    await expect(waiting).rejects.toThrow('was released');
    expect(request.destroyed).toBe(false);
    await expect(bytes.read()).rejects.toThrow('was released');
  });

  it('discards bytes that arrived during a pause of the process before it closes the connection', async () => {
    const bytes = new RequestBytes(request, 10, undefined, 10);
    client.write('hello');
    await bytes.read();
    bytes.release();

    client.write('world');
    // Simulates a pause of the machine, longer than the 20 timer steps for discarding bytes.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
    await waitUntil(() => request.complete || request.destroyed, 'The end of the request');

    expect(request.complete).toBe(true);
  });

  it('closes the connection after release if the client does not finish its request', async () => {
    const bytes = new RequestBytes(request, 10, undefined, 10);
    bytes.release();

    await waitUntil(() => request.destroyed, 'The end of the connection');

    expect(request.complete).toBe(false);
  });

  it('rejects pending and later reads when the client disconnects', async () => {
    const bytes = new RequestBytes(request, 10);
    const waiting = bytes.read();

    client.destroy();

    await expect(waiting).rejects.toMatchObject({ code: 'request.malformed-body' });
    await expect(bytes.read()).rejects.toMatchObject({ code: 'request.malformed-body' });
  });

  it('rejects a Content-Length above the limit at once', async () => {
    await expect(new RequestBytes(request, 9).read()).rejects.toMatchObject({ code: 'request.too-large' });
  });
});
