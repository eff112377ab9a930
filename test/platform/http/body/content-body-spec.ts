import { describe, expect, it } from '@jest/globals';
import { type IncomingMessage, request as httpRequest } from 'node:http';
import { readContentBody } from '../../../../src/platform/http/body/content-body.js';
import { TENANT, bytesOf, pseudoRandomBytes, sha256Of } from '../../../support/content-fixtures.js';
import { waitUntil } from '../../../support/wait-until.js';
import { sendRaw } from '../../../support/raw-http.js';
import { LIMIT, OPTIONS, UploadFixture } from './upload-fixture.js';

describe('readContentBody', () => {
  const fixture = new UploadFixture((request, store) => readContentBody(request, { ...OPTIONS, store }));
  const put = (headers: Record<string, string>) =>
    httpRequest(fixture.url, { method: 'PUT', agent: false, headers });

  /** Sends only these header fields. Without Content-Length, the body is chunked. */
  async function send(body: Buffer | string, headers: Record<string, string> = {}) {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      put(headers).on('response', resolve).on('error', reject).end(body);
    });
    return JSON.parse((await bytesOf(response)).toString()) as (typeof fixture.settled)[number];
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
    const { store } = fixture.storeFixture;
    await store.keep(TENANT, answer.received!);
    expect((await bytesOf(await store.open(TENANT, sha256Of(bytes)))).equals(bytes)).toBe(true);
  });

  it('stores a chunked body and an empty body', async () => {
    expect(await send('pieces', { 'Transfer-Encoding': 'chunked' })).toMatchObject({
      received: { sha256: sha256Of('pieces') },
    });
    for (const [name, value] of [
      ['Transfer-Encoding', 'chunked'],
      ['Content-Type', 'text/plain'],
    ] as const)
      expect(await send('', { [name]: value })).toMatchObject({ received: { size: 0 } });
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
    const { status } = await sendRaw(fixture.url, Buffer.from(request, encoding));
    expect([status, fixture.settled[0]?.fileName]).toEqual([200, 'Größe.pdf']);
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

  const large = Buffer.alloc(LIMIT + 1);
  const invalidName = { 'Content-Disposition': "attachment; filename*=UTF-8''%F" };

  it.each<[string, number, string, string | Buffer, Record<string, string>]>([
    ['a request without body and media type', 400, 'request.malformed-body', '', {}],
    ['a Content-Range', 400, 'request.invalid', 'x', { 'Content-Range': 'bytes 0-0/9' }],
    ['an invalid file name', 400, 'request.invalid', 'x', invalidName],
    ['an encoded body', 415, 'request.unsupported-media-type', 'x', { 'Content-Encoding': 'br' }],
    ['a body above the limit', 413, 'request.too-large', large, {}],
    ['a chunked body above the limit', 413, 'request.too-large', large, { 'Transfer-Encoding': 'chunked' }],
  ])('rejects %s, and stores nothing', async (_, status, code, body, headers) => {
    expect(await send(body, headers)).toMatchObject({ status, code });
    expect(await fixture.fileCount()).toBe(0);
  });

  it('stores nothing if the client disconnects during the body', async () => {
    const request = put({ 'Content-Length': '1000' }).on('error', () => undefined);
    request.write('half');
    await waitUntil(async () => (await fixture.fileCount()) === 1);
    request.destroy();
    await waitUntil(() => fixture.settled.length === 1);
    expect(fixture.settled).toMatchObject([{ status: 400, code: 'request.malformed-body' }]);
    expect(await fixture.fileCount()).toBe(0);
  });
});
