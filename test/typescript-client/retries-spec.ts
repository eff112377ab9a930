import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  ConnectionFailed,
  type FilingClientOptions,
  FilingProblem,
  createFilingClient,
} from '../../clients/typescript/client.js';
import { ScriptedServer } from './scripted-server.js';

const PAGE = { status: 200, body: { items: [], nextCursor: null } };
const CREATED = { status: 201, body: { id: 'f' } };
/** `Retry-After: 0` keeps the test from waiting. */
const LIMITED = { status: 429, headers: { 'Retry-After': '0' }, body: { title: 'Too many requests' } };
const BUSY = { status: 503, headers: { 'Retry-After': '0' }, body: { title: 'Not available' } };
const FILE = { fileTypeId: 't', number: '1', name: 'A' };

describe('The TypeScript client after a failed request', () => {
  let server: ScriptedServer;
  beforeAll(async () => {
    server = await ScriptedServer.start();
  });
  afterAll(() => server.stop());

  const client = (options: Partial<FilingClientOptions> = {}) =>
    createFilingClient({ url: server.url, token: 'a', ...options, tenant: 'acme' });
  const keys = () => server.received.map(({ headers }) => headers['idempotency-key']);

  it('retries GET, PUT and DELETE after 429 and 503, and reports each wait', async () => {
    const waits: [string, number][] = [];
    const retrying = client({ onRetry: ({ message }, seconds) => waits.push([message, seconds]) });
    const params = { path: { tagId: 't' } };

    server.script(LIMITED, BUSY, PAGE);
    expect((await retrying.GET('/files')).data).toEqual(PAGE.body);
    expect(waits).toEqual([
      ['Too many requests', 0],
      ['Not available', 0],
    ]);
    server.script(BUSY, { status: 200, body: { id: 't' } });
    await retrying.PUT('/tags/{tagId}', { params, body: { name: 'B' } });
    server.script(BUSY, { status: 204 });
    expect((await retrying.DELETE('/tags/{tagId}', { params })).data).toBeUndefined();
    expect(server.received.map(({ path }) => path)).toEqual(Array(2).fill('/api/v1/t/acme/tags/t'));
  });

  it('sends the same Idempotency-Key with all attempts of a POST, and a new one with the next call', async () => {
    server.script(LIMITED, BUSY, CREATED, CREATED);
    await client().POST('/files', { body: FILE });
    await client().POST('/files', { body: FILE });
    const [first, second, third, next] = keys();
    expect(first).toMatch(/^[0-9a-f-]{36}$/);
    expect([second, third]).toEqual([first, first]);
    expect(next).not.toBe(first);
  });

  it('sends the Idempotency-Key of the caller', async () => {
    server.script(BUSY, CREATED);
    await client().POST('/files', { body: FILE, params: { header: { 'Idempotency-Key': 'mine' } } });
    expect(keys()).toEqual(['mine', 'mine']);
  });

  it('retries a POST without Idempotency-Key only after 429', async () => {
    const params = { path: { fileId: 'f' } };
    server.script(LIMITED, { status: 200, body: {} });
    await client().POST('/files/{fileId}/close', { params });
    expect(keys()).toEqual([undefined, undefined]);
    server.script(BUSY);
    await expect(client().POST('/files/{fileId}/close', { params })).rejects.toMatchObject({ status: 503 });
    server.script(null);
    await expect(client().POST('/files/{fileId}/close', { params })).rejects.toThrow(ConnectionFailed);
    expect(server.received).toHaveLength(1);
  });

  it('retries the pages of a search', async () => {
    server.script(BUSY, PAGE);
    for await (const _ of client().pages('/documents/search', { body: {} })) throw new Error('It is empty');
    expect(server.received).toHaveLength(2);
  });

  it('retries an upload with its whole body', async () => {
    server.script(null, BUSY, CREATED);
    const content = new File(['Inhalt'], 'ä.txt', { type: 'text/plain' });
    await client().POST('/documents', { body: { document: { title: 'Ä' }, content } });
    expect(server.received).toHaveLength(3);
    for (const { body, headers } of server.received) {
      expect(headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
      expect(body).toMatch(/name="document".*\r\nContent-Type: application\/json\r\n\r\n\{"title":"Ä"\}\r\n/);
      expect(body).toMatch(/name="content"; filename="ä.txt"\r\nContent-Type: text\/plain\r\n\r\nInhalt\r\n/);
    }
  });

  it('stops after five retries or after `retries`, and does not retry when Retry-After exceeds 60 s', async () => {
    server.script(...Array<typeof LIMITED>(9).fill(LIMITED));
    await expect(client().GET('/files')).rejects.toMatchObject({ status: 429 });
    expect(server.received).toHaveLength(6);
    server.script(BUSY, BUSY);
    await expect(client({ retries: 1 }).GET('/files')).rejects.toMatchObject({ status: 503 });
    server.script({ ...BUSY, headers: { 'Retry-After': '61' } });
    await expect(client().GET('/files')).rejects.toMatchObject({ status: 503 });
    expect(server.received).toHaveLength(1);
  });

  it('does not retry after 500', async () => {
    server.script({ status: 500, body: { title: 'Error' } });
    await expect(client().GET('/files')).rejects.toThrow(FilingProblem);
    expect(server.received).toHaveLength(1);
  });

  it('stops when the signal of the client or of the call aborts, also during a wait', async () => {
    const waiting = { ...BUSY, headers: { 'Retry-After': '60' } };
    const stop = new AbortController();
    const options = { onRetry: () => stop.abort(new Error('Stopped')) };
    server.script(waiting);
    await expect(client({ ...options, signal: stop.signal }).GET('/files')).rejects.toThrow('Stopped');
    const call = new AbortController();
    const abort = { onRetry: () => setImmediate(() => call.abort(new Error('Stopped, too'))) };
    server.script(waiting);
    await expect(client(abort).GET('/files', { signal: call.signal })).rejects.toThrow('Stopped, too');
    await expect(client({ signal: stop.signal }).GET('/files')).rejects.toThrow('Stopped');
    expect(server.received).toHaveLength(1);
  });

  it('requests another token once after 401', async () => {
    const refusals: (string | undefined)[] = [];
    const token = (refused?: string) => {
      refusals.push(refused);
      return refused === undefined ? 'old' : 'new';
    };
    const unauthorized = { status: 401, body: { title: 'Unauthorized' } };
    server.script(unauthorized, CREATED);
    await client({ token }).POST('/files', { body: FILE });
    expect(refusals).toEqual([undefined, 'old']);
    expect(server.received.map(({ headers }) => headers.authorization)).toEqual(['Bearer old', 'Bearer new']);

    server.script(unauthorized, unauthorized);
    await expect(client({ token }).GET('/files')).rejects.toMatchObject({ status: 401 });
    server.script(unauthorized);
    await expect(client({ token: 'only' }).GET('/files')).rejects.toMatchObject({ status: 401 });
    expect(server.received).toHaveLength(1);
  });

  it('reports the reason when the service does not answer', async () => {
    const gone = await ScriptedServer.start();
    await gone.stop();
    const error = await createFilingClient({ url: 'http://127.0.0.1:1', token: 'a', retries: 0 })
      .GET('/livez')
      .catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ConnectionFailed);
    expect((error as Error).message).toMatch(/^No answer from http:\/\/127\.0\.0\.1:1: /);
  });
});
