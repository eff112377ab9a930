import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type Server } from 'node:http';
import { type AddressInfo, type Socket, connect } from 'node:net';
import express from 'express';
import { createExpressServer } from '../../../../src/platform/http/server/express-server.js';
import { fakeTimers } from '../../../support/fake-timers.js';
import { waitUntil } from '../../../support/wait-until.js';

const MEBIBYTE = 1024 * 1024;

describe('limitUnreadBody', () => {
  let server: Server;
  let client: Socket;
  let accepted: Socket;
  let text: string;

  /** Answers each request without its body, with the status in its path. */
  beforeEach(async () => {
    const app = express();
    app.use((request, response) => void response.status(Number(request.path.slice(1))).end('answer'));
    server = createExpressServer(app);
    server.on('connection', (socket: Socket) => (accepted = socket));
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    client = connect({
      port: (server.address() as AddressInfo).port,
      host: '127.0.0.1',
      allowHalfOpen: true,
    });
    text = '';
    client.on('data', (data) => (text += data.toString('latin1'))).on('error', () => {});
  });

  afterEach(async () => {
    jest.useRealTimers();
    client.destroy();
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  });

  const head = (status: number, length: number | 'chunked') =>
    `POST /${status} HTTP/1.1\r\nHost: x\r\n${length === 'chunked' ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`}\r\n\r\n`;
  const send = (status: number, length: number) => {
    client.write(head(status, length));
    client.write(Buffer.alloc(length, 'x'));
  };
  const answers = async (count: number) => {
    await waitUntil(() => text.split('answer').length > count);
    return text.match(/(?<=HTTP\/1\.1 )\d{3}/g);
  };
  const advanceUntilClosed = () =>
    waitUntil(() => {
      jest.advanceTimersByTime(1000);
      return accepted.destroyed;
    });

  it.each([429, 503])('reads little of a large body after %s, and closes the connection', async (status) => {
    fakeTimers('setInterval', 'clearInterval');
    send(status, 8 * MEBIBYTE);

    expect(await answers(1)).toEqual([String(status)]);
    expect(text).toContain('Connection: close');
    await advanceUntilClosed();
    expect(accepted.bytesRead).toBeLessThan(MEBIBYTE);
  });

  it('closes the connection of a client that has sent all of a large body, and does not close it', async () => {
    fakeTimers('setInterval', 'clearInterval');
    // Little more than what is read, so that the end arrives.
    send(429, 65 * 1024);

    expect(await answers(1)).toEqual(['429']);
    await advanceUntilClosed();
  });

  it.each([200, 401])('reads at most some MiB of an endless body after %s', async (status) => {
    fakeTimers('setInterval', 'clearInterval');
    client.write(head(status, 'chunked'));
    const piece = Buffer.concat([Buffer.from('10000\r\n'), Buffer.alloc(65_536), Buffer.from('\r\n')]);
    const pump = () => {
      while (client.writable && client.write(piece));
    };
    client.on('drain', pump);
    pump();

    expect(await answers(1)).toEqual([String(status)]);
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

    expect(await answers(2)).toEqual([String(status), '200']);
    expect(text).not.toContain('Connection: close');
  });
});
