import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { RequestBytes } from '../../../../src/platform/http/body/request-bytes.js';
import { RawClient } from '../../../support/raw-client.js';
import { close, listen } from '../../../support/servers/local-server.js';
import { waitUntil } from '../../../support/wait-until.js';
import { TRANSFER_RATE } from './upload-fixture.js';

describe('RequestBytes', () => {
  let server: Server;
  let client: RawClient;
  let request: IncomingMessage;
  beforeEach(async () => {
    const arrived = new Promise<IncomingMessage>((resolve) => {
      server = createServer(resolve);
    });
    client = await RawClient.open(await listen(server));
    client.send('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n');
    request = await arrived;
  });
  afterEach(async () => {
    client.socket.destroy();
    await close(server);
  });

  it('returns the bytes as they arrive, and null at the end', async () => {
    const bytes = new RequestBytes(request, 10, TRANSFER_RATE);
    client.send('hello');
    expect(String(await bytes.read())).toBe('hello');
    client.send('world');
    expect(String(await bytes.read())).toBe('world');
    expect(await bytes.read()).toBeNull();
    expect(await bytes.read()).toBeNull();
  });

  it('rejects a pending read on release, and keeps the connection open', async () => {
    const bytes = new RequestBytes(request, 10, TRANSFER_RATE);
    const waiting = bytes.read();

    bytes.release();

    await expect(waiting).rejects.toThrow('was released');
    expect(request.destroyed).toBe(false);
    await expect(bytes.read()).rejects.toThrow('was released');
  });

  it('discards bytes that arrived during a pause of the process before it closes the connection', async () => {
    const bytes = new RequestBytes(request, 10, TRANSFER_RATE, 0, 10);
    client.send('hello');
    await bytes.read();
    bytes.release();

    client.send('world');
    // Simulates a pause of the machine, longer than the 20 timer steps for discarding bytes.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
    await waitUntil(() => request.complete || request.destroyed, 'The end of the request');

    expect(request.complete).toBe(true);
  });

  it('closes the connection after release if the client does not finish its request', async () => {
    const bytes = new RequestBytes(request, 10, TRANSFER_RATE, 0, 10);
    bytes.release();

    await waitUntil(() => request.destroyed, 'The end of the connection');

    expect(request.complete).toBe(false);
  });

  it('rejects pending and later reads when the client disconnects', async () => {
    const bytes = new RequestBytes(request, 10, TRANSFER_RATE);
    const waiting = bytes.read();

    client.socket.destroy();

    await expect(waiting).rejects.toMatchObject({ code: 'request.malformed-body' });
    await expect(bytes.read()).rejects.toMatchObject({ code: 'request.malformed-body' });
  });

  it('rejects a Content-Length above the limit at once', async () => {
    await expect(new RequestBytes(request, 9, TRANSFER_RATE).read()).rejects.toMatchObject({
      code: 'request.too-large',
    });
  });
});
