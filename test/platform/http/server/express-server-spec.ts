import { type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import express from 'express';
import { createExpressServer } from '../../../../src/platform/http/server/express-server.js';
import { close, listen } from '../../../support/servers/local-server.js';

describe('createExpressServer', () => {
  const app = express();
  let server: Server;
  let url: string;

  beforeEach(async () => {
    server = createExpressServer(app);
    url = await listen(server);
  });

  afterEach(() => close(server));

  it('creates requests and responses with the prototypes of Express', async () => {
    const prototypes: unknown[] = [];
    server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
      prototypes.push(Object.getPrototypeOf(request), Object.getPrototypeOf(response));
    });
    await fetch(url);
    expect([prototypes[0] === app.request, prototypes[1] === app.response]).toEqual([true, true]);
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
