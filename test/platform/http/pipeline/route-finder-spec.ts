import { type Server, createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import express, { type NextFunction, type Request, type Response } from 'express';
import request from 'supertest';
import { RouteFinder } from '../../../../src/platform/http/pipeline/route-finder.js';
import { close, listen } from '../../../support/servers/local-server.js';

describe('RouteFinder', () => {
  let server: Server;

  beforeAll(async () => {
    const routes = new RouteFinder();
    const answer = (route: string) => (received: Request, response: Response) =>
      void response.json({ route, params: received.params, query: received.query });
    routes.add('GET', '/files', answer('list'));
    routes.add('POST', '/files', answer('create'));
    routes.add('GET', '/files/:fileId', answer('get'));
    routes.add('GET', '/files/:fileId/documents/:documentId', answer('document'));
    routes.add('GET', '/files/search', answer('search'));
    routes.add('GET', '/broken', () => Promise.reject(new Error('broken')));
    const app = express();
    app.use((received, _response, next) => {
      Object.assign(received, { state: {} });
      next();
    });
    app.use(routes.dispatch);
    app.use((error: Error, _request: Request, response: Response, _next: NextFunction) => {
      response.status(500).json({ error: error.message });
    });
    server = createServer(app);
    await listen(server);
  });

  afterAll(() => close(server));

  it.each([
    ['/files', 'list', {}],
    ['/files/7', 'get', { fileId: '7' }],
    ['/files/7/documents/8', 'document', { fileId: '7', documentId: '8' }],
    ['/files/search', 'search', {}],
    ['/files/a%2Fb%20c%3F', 'get', { fileId: 'a/b c?' }],
    [`/files/${'x'.repeat(5000)}`, 'get', { fileId: 'x'.repeat(5000) }],
    ['/files/constructor', 'get', { fileId: 'constructor' }],
  ])('finds the handler and the parameters of %s', async (path, route, params) => {
    const response = await request(server).get(path);
    expect(response.body).toMatchObject({ route, params });
  });

  it('does not change the query', async () => {
    const response = await request(server).get('/files?limit=5');
    expect(response.body).toEqual({ route: 'list', params: {}, query: { limit: '5' } });
  });

  it('distinguishes methods', async () => {
    expect((await request(server).post('/files')).body).toMatchObject({ route: 'create' });
  });

  it('passes a rejected promise to the error handler', async () => {
    const response = await request(server).get('/broken');
    expect({ status: response.status, body: response.body as object }).toEqual({
      status: 500,
      body: { error: 'broken' },
    });
  });
});
