import { type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import express from 'express';
import { createExpressServer } from '../../../../src/platform/http/server/express-server.js';

describe('createExpressServer', () => {
  const app = express();
  let server: Server;
  let url: string;

  beforeEach(async () => {
    server = createExpressServer(app);
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  });

  afterEach(() => new Promise((closed) => server.close(closed)));

  it('creates requests and responses with the prototypes of Express', async () => {
    const prototypes: unknown[] = [];
    server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
      prototypes.push(Object.getPrototypeOf(request), Object.getPrototypeOf(response));
    });
    await fetch(url);
    expect(prototypes).toHaveLength(2);
    expect(prototypes[0]).toBe(app.request);
    expect(prototypes[1]).toBe(app.response);
  });

  it('keeps idle connections open for 75 seconds, longer than proxies do', async () => {
    const { headers } = await fetch(url);
    expect(headers.get('keep-alive')).toBe('timeout=75');
  });

  it('creates all requests with the same properties, those of Node', async () => {
    const seen: IncomingMessage[] = [];
    server.prependListener('request', (request: IncomingMessage) => seen.push(request));
    await fetch(url);
    await fetch(url);
    const [one, other] = seen.map((request) => Object.keys(request));
    expect(one).toEqual(other);
    expect(one).toEqual(expect.arrayContaining(['httpVersion', 'url', 'method', 'socket']));
  });
});
