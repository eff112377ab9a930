import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type Server } from 'node:http';
import { type Socket } from 'node:net';
import express from 'express';
import { createExpressServer } from '../../../../src/platform/http/server/express-server.js';
import { fakeTimers } from '../../../support/fake-timers.js';
import { RawClient } from '../../../support/raw-client.js';
import { close, listen } from '../../../support/servers/local-server.js';
import { waitUntil } from '../../../support/wait-until.js';

const MEBIBYTE = 1024 * 1024;

describe('limitUnreadBody', () => {
  let server: Server;
  let client: RawClient;
  let accepted: Socket;

  /** Answers each request without its body, with the status in its path. */
  beforeEach(async () => {
    const app = express();
    app.use((request, response) => void response.status(Number(request.path.slice(1))).end('answer'));
    server = createExpressServer(app);
    server.on('connection', (socket: Socket) => (accepted = socket));
    client = await RawClient.open(await listen(server), { allowHalfOpen: true });
  });

  afterEach(async () => {
    jest.useRealTimers();
    client.socket.destroy();
    await close(server);
  });

  const head = (status: number, length: number | 'chunked') =>
    `POST /${status} HTTP/1.1\r\nHost: x\r\n${length === 'chunked' ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`}\r\n\r\n`;
  const send = (status: number, length: number) =>
    client.send(head(status, length)).send(Buffer.alloc(length, 'x'));
  const advanceUntilClosed = () =>
    waitUntil(() => {
      jest.advanceTimersByTime(1000);
      return accepted.destroyed;
    });

  it.each([429, 503])('reads little of a large body after %s, and closes the connection', async (status) => {
    fakeTimers('setInterval', 'clearInterval');
    send(status, 8 * MEBIBYTE);

    expect(await client.statuses(1)).toEqual([String(status)]);
    expect(client.received).toContain('Connection: close');
    await advanceUntilClosed();
    expect(accepted.bytesRead).toBeLessThan(MEBIBYTE);
  });

  it('closes the connection of a client that has sent all of a large body, and does not close it', async () => {
    fakeTimers('setInterval', 'clearInterval');
    // Little more than what is read, so that the end arrives.
    send(429, 65 * 1024);

    expect(await client.statuses(1)).toEqual(['429']);
    await advanceUntilClosed();
  });

  it.each([200, 401])('reads at most some MiB of an endless body after %s', async (status) => {
    fakeTimers('setInterval', 'clearInterval');
    client.send(head(status, 'chunked')).sendEndlessBody();

    expect(await client.statuses(1)).toEqual([String(status)]);
    await waitUntil(() => accepted.bytesRead > 4 * MEBIBYTE);
    await advanceUntilClosed();
    expect(accepted.bytesRead).toBeLessThan(6 * MEBIBYTE);
  });

  it.each([
    [401, 4 * MEBIBYTE],
    [429, 64 * 1024],
  ])('answers the next request after %s and a body of %s bytes', async (status, length) => {
    send(status, length);
    send(200, 0);

    expect(await client.statuses(2)).toEqual([String(status), '200']);
    expect(client.received).not.toContain('Connection: close');
  });
});
