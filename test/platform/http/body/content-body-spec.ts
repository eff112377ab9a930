import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type IncomingMessage, type Server, createServer, request as httpRequest } from 'node:http';
import { type AddressInfo } from 'node:net';
import { Problem } from '../../../../src/common/problem.js';
import { readContentBody } from '../../../../src/platform/http/body/content-body.js';
import { type UploadedContent } from '../../../../src/platform/http/body/multipart-upload.js';
import {
  DiskStoreFixture,
  TENANT,
  bytesOf,
  pseudoRandomBytes,
  sha256Of,
} from '../../../support/content-fixtures.js';
import { waitUntil } from '../../../support/wait-until.js';
import { sendRaw } from '../../../support/raw-http.js';

const LIMIT = 1024 * 1024;

type Answer = { status: number; code?: string; errors?: Record<string, string[]> } & Partial<UploadedContent>;

describe('readContentBody', () => {
  let fixture: DiskStoreFixture;
  let server: Server;
  let port: number;
  let settled: Answer[];

  beforeAll(async () => {
    server = createServer((request, response) => {
      void readContentBody(request, { store: fixture.store, limit: LIMIT })
        .then(
          (content): Answer => ({ status: 200, ...content }),
          (error: unknown): Answer =>
            error instanceof Problem
              ? { status: error.status, code: error.code, errors: error.wording('en').errors }
              : { status: 500, code: String(error) },
        )
        .then((answer) => {
          settled.push(answer);
          response.writeHead(answer.status).end(JSON.stringify(answer));
        });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    port = (server.address() as AddressInfo).port;
  });
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  beforeEach(async () => {
    fixture = await DiskStoreFixture.create();
    settled = [];
  });
  afterEach(async () => {
    await waitUntil(async () => (await fixture.openFiles()).length === 0, 'The closing of all files');
    await fixture.destroy();
  });

  /** Sends only these header fields. Without Content-Length, the body is chunked. */
  async function send(body: Buffer | string, headers: Record<string, string> = {}): Promise<Answer> {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const request = httpRequest({ port, host: '127.0.0.1', method: 'PUT', agent: false }, resolve);
      for (const [name, value] of Object.entries(headers)) request.setHeader(name, value);
      request.on('error', reject).end(body);
    });
    return JSON.parse((await bytesOf(response)).toString()) as Answer;
  }

  it('stores the body unchanged', async () => {
    const bytes = pseudoRandomBytes(LIMIT);
    const answer = await send(bytes, { 'Content-Type': 'application/pdf' });
    expect(answer).toMatchObject({
      status: 200,
      fileName: null,
      mediaType: 'application/pdf',
      received: { sha256: sha256Of(bytes), size: LIMIT },
    });
    if (answer.received) await fixture.store.keep(TENANT, answer.received);
    expect((await bytesOf(await fixture.store.open(TENANT, sha256Of(bytes)))).equals(bytes)).toBe(true);
  });

  it('stores a chunked body and an empty body', async () => {
    expect(await send('pieces', { 'Transfer-Encoding': 'chunked' })).toMatchObject({
      received: { sha256: sha256Of('pieces') },
    });
    const headersOfEmptyContent: Record<string, string>[] = [
      { 'Transfer-Encoding': 'chunked' },
      { 'Content-Type': 'text/plain' },
    ];
    for (const headers of headersOfEmptyContent) {
      expect(await send('', headers)).toMatchObject({ received: { size: 0 } });
    }
  });

  it.each([
    ['attachment; filename=a.pdf', 'a.pdf'],
    ['attachment; filename="a \\"b\\".pdf"', 'a "b".pdf'],
    ["attachment; filename*=UTF-8''Gr%C3%B6%C3%9Fe%20%E2%82%AC.pdf", 'Größe €.pdf'],
    ['attachment; filename="ascii.pdf"; filename*=UTF-8\'\'%e2%82%ac.pdf', '€.pdf'],
    ["attachment; filename*=iso-8859-1'de'Gr%F6%DFe.pdf", 'Größe.pdf'],
    ["attachment; filename*=UTF-8''..%2F..%2Fetc%2Fpasswd", 'passwd'],
    ["inline; filename*=UTF-8''a%0D%0Ab%E2%80%AEgpj.exe", 'abgpj.exe'],
    ['attachment', null],
    ['attachment; filename=""', null],
  ])('reads the file name from %s: %j', async (header, name) => {
    expect(await send('x', { 'Content-Disposition': header })).toMatchObject({ status: 200, fileName: name });
  });

  it.each(['utf8', 'latin1'] as const)('reads an unencoded file name in %s', async (encoding) => {
    // Raw bytes, because Node's client would change the header field.
    const request = `PUT / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 1\r\nContent-Disposition: attachment; filename="Größe.pdf"\r\n\r\nx`;
    const { status } = await sendRaw(`http://127.0.0.1:${port}`, Buffer.from(request, encoding));
    expect([status, settled[0]?.fileName]).toEqual([200, 'Größe.pdf']);
  });

  it('reads the file part of a form', async () => {
    const form =
      '--b\r\nContent-Disposition: form-data; name="content"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\nhello\r\n--b--\r\n';
    expect(await send(form, { 'Content-Type': 'Multipart/Form-Data ; boundary=b' })).toMatchObject({
      status: 200,
      fileName: 'a.txt',
      mediaType: 'text/plain',
      received: { sha256: sha256Of('hello') },
    });
  });

  it.each<[string, string | Buffer, Record<string, string>, number, string]>([
    ['a request without body and media type', '', {}, 400, 'request.malformed-body'],
    ['a Content-Range', 'x', { 'Content-Range': 'bytes 0-0/9' }, 400, 'request.invalid'],
    [
      'an invalid file name',
      'x',
      { 'Content-Disposition': "attachment; filename*=UTF-8''%F" },
      400,
      'request.invalid',
    ],
    ['an encoded body', 'x', { 'Content-Encoding': 'br' }, 415, 'request.unsupported-media-type'],
    ['a body above the limit', Buffer.alloc(LIMIT + 1), {}, 413, 'request.too-large'],
    [
      'a chunked body above the limit',
      Buffer.alloc(LIMIT + 1),
      { 'Transfer-Encoding': 'chunked' },
      413,
      'request.too-large',
    ],
  ])('rejects %s, and stores nothing', async (_, body, headers, status, code) => {
    expect(await send(body, headers)).toMatchObject({ status, code });
    expect(await fixture.files()).toEqual([]);
  });

  it('stores nothing if the client disconnects during the body', async () => {
    const request = httpRequest({
      port,
      host: '127.0.0.1',
      method: 'PUT',
      agent: false,
      headers: { 'Content-Length': '1000' },
    });
    request.on('error', () => undefined);
    request.write('half');
    await waitUntil(async () => (await fixture.files()).length === 1);
    request.destroy();
    await waitUntil(() => settled.length === 1);
    expect(settled).toMatchObject([{ status: 400, code: 'request.malformed-body' }]);
    expect(await fixture.files()).toEqual([]);
  });
});
