import { beforeEach, describe, expect, it } from '@jest/globals';
import { invalidValue } from '../../../../src/common/problem.js';
import { bytesOf, pseudoRandomBytes, sha256Of, TENANT } from '../../../support/content-fixtures.js';
import {
  DOCUMENT,
  LIMIT,
  MEBIBYTE,
  type Part,
  UploadFixture,
  file,
  form,
  readUpload,
} from './upload-fixture.js';

describe('readMultipartUpload', () => {
  let onDocument: (text: string) => void | Promise<void>;
  beforeEach(() => {
    onDocument = () => {};
  });
  const fixture = new UploadFixture((request, store) =>
    readUpload(request, store, (text) => onDocument(text)),
  );
  const send = (...parts: Part[]) => fixture.send(...parts);

  describe('reads', () => {
    it('a form of a browser', async () => {
      const bytes = pseudoRandomBytes(2 * MEBIBYTE);
      const data = new FormData();
      data.append('document', new Blob(['{"title":"Prüfung \ufffd"}'], { type: 'application/json' }));
      data.append('content', new File([bytes], 'Gro\u0308ße "1".pdf', { type: 'application/pdf' }));

      const answer = await fixture.upload(data);

      expect(answer).toMatchObject({
        status: 200,
        document: '{"title":"Prüfung \ufffd"}',
        content: {
          fileName: 'Größe "1".pdf',
          mediaType: 'application/pdf',
          received: { sha256: sha256Of(bytes), size: bytes.length },
        },
      });
      const { store } = fixture.storeFixture;
      await store.keep(TENANT, answer.content!.received);
      expect((await bytesOf(await store.open(TENANT, sha256Of(bytes)))).equals(bytes)).toBe(true);
    });

    it('a document without content', async () => {
      expect(await send(DOCUMENT)).toEqual({ status: 200, document: '{"title":"A"}', content: null });
    });

    it.each([
      ['without a type', ''],
      ['with a charset', '\r\nContent-Type: application/json; charset=utf-8'],
      ['as plain text', '\r\nContent-Type: text/plain;charset=UTF-8'],
      ['as a file', '; filename=blob\r\nContent-Type: application/json'],
    ])('a document %s', async (_, rest) => {
      const part: Part = [`Content-Disposition: form-data; name=document${rest}`, '{"title":"Ä"}'];
      expect(await send(part)).toMatchObject({ status: 200, document: '{"title":"Ä"}' });
    });

    it('content without a file name', async () => {
      const header = 'Content-Disposition: form-data; name="content"\r\nContent-Type: application/pdf';
      expect(await send(DOCUMENT, [header, '\x00\xff'])).toMatchObject({
        status: 200,
        content: { fileName: null, mediaType: 'application/pdf', received: { size: 3 } },
      });
    });

    it('an empty file, but ignores the field of a form in which no file was chosen', async () => {
      expect(await send(DOCUMENT, file(''))).toMatchObject({
        content: { fileName: 'a.pdf', received: { size: 0 } },
      });
      expect(await fixture.fileCount()).toBe(1);

      const none = await send(DOCUMENT, ['Content-Disposition: form-data; name="content"; filename=""', '']);
      expect(none).toMatchObject({ status: 200, content: null });
      expect(await fixture.fileCount()).toBe(1);
    });

    it('content up to the limit', async () => {
      expect(await send(DOCUMENT, file(Buffer.alloc(LIMIT)))).toMatchObject({
        status: 200,
        content: { received: { size: LIMIT } },
      });
    });

    it('document and content, and ignores other parts', async () => {
      const other: Part = ['Content-Disposition: form-data; name="other"; filename="x"', 'ignored'];
      expect(await send(other, DOCUMENT, other, file('hello'), other)).toMatchObject({
        status: 200,
        content: { received: { sha256: sha256Of('hello') } },
      });
    });
  });

  it.each([
    ['"a.pdf"', 'a.pdf'],
    ['a b.pdf', 'a b.pdf'],
    ['"C:\\\\Users\\\\me\\\\a.pdf"', 'a.pdf'],
    ['"../../etc/passwd"', 'passwd'],
    ['"a%22b%22.pdf"', 'a"b".pdf'],
    ['"Vertrag \\"Nord\\".pdf"', 'Vertrag "Nord".pdf'],
    ['"Vertrag \\"Nord\\"; neu.pdf"; size=3', 'Vertrag "Nord"; neu.pdf'],
    ['"C:\\"', null],
    ['"a%0D%0Ab.pdf"', 'ab.pdf'],
    ['"invoice\u202egpj.exe"', 'invoicegpj.exe'],
    ['"   "', null],
    ['".."', null],
    ['"folder/"', null],
    [`"${'ü'.repeat(300)}"`, 'ü'.repeat(255)],
    ['"ascii.pdf"; filename*=UTF-8\'\'%e2%82%ac.pdf', '€.pdf'],
    ['"🗂️ files.pdf"', '🗂️ files.pdf'],
  ])('reads the file name %s as %j', async (given, name) => {
    const header = `Content-Disposition: form-data; name="content"; filename=${given}`;
    expect((await send(DOCUMENT, [header, 'x'])).content?.fileName).toBe(name);
  });

  it('reads a file name in bytes that are not UTF-8 as Latin-1', async () => {
    const header = 'Content-Disposition: form-data; name="content"; filename="Größe.pdf"';
    const answer = await send(DOCUMENT, [Buffer.from(header, 'latin1'), 'x']);

    expect(answer.content?.fileName).toBe('Größe.pdf');
  });

  it.each([
    ['APPLICATION/PDF', 'application/pdf'],
    ['text/plain; charset=utf-8', 'text/plain'],
    ['image/svg+xml', 'image/svg+xml'],
    ['pdf', 'application/octet-stream'],
    ['text/pl ain', 'application/octet-stream'],
    ['', 'application/octet-stream'],
    [`text/${'x'.repeat(300)}`, 'application/octet-stream'],
  ])('reads the media type %j as %s', async (given, type) => {
    const answer = await send(DOCUMENT, file('x', `\r\nContent-Type: ${given}`));

    expect(answer.content?.mediaType).toBe(type);
  });

  describe('stores nothing and rejects', () => {
    const other = (body: string | Buffer): Part => ['Content-Disposition: form-data; name="x"', body];
    const xml = 'Content-Disposition: form-data; name="document"\r\nContent-Type: text/xml';
    const base64 = '\r\nContent-Transfer-Encoding: base64';
    const latin1 = Buffer.from('{"title":"\xfc"}', 'latin1');

    it.each<[string, string, string, Part[]]>([
      ['a request without a document', 'invalid', 'document', []],
      ['a document of another media type', 'invalid', 'document', [[xml, '<a/>']]],
      ['a document given twice', 'invalid', 'document', [DOCUMENT, DOCUMENT]],
      ['content before the document', 'invalid', 'content', [file('x'), DOCUMENT]],
      ['content given twice', 'invalid', 'content', [DOCUMENT, file('x'), file('y')]],
      ['encoded content', 'invalid', 'content', [DOCUMENT, file('eA==', base64)]],
      ['too many parts', 'invalid', '$', [DOCUMENT, file('x'), ...Array<Part>(9).fill(other(''))]],
      ['a document that is not UTF-8', 'malformed-body', 'document', [[DOCUMENT[0], latin1]]],
      [
        'a part without a name',
        'malformed-body',
        '$',
        [DOCUMENT, file('x'), ['Content-Disposition: form-data', '']],
      ],
      [
        'a part without a disposition',
        'malformed-body',
        '$',
        [DOCUMENT, file('x'), ['Content-Type: text/plain', '']],
      ],
      [
        'a header after a byte order mark',
        'malformed-body',
        '$',
        [DOCUMENT, [`\ufeff${file('x')[0].toString()}`, 'x']],
      ],
      [
        'a malformed header',
        'malformed-body',
        '$',
        [DOCUMENT, ['Content-Disposition; form-data; name="content"', '']],
      ],
    ])('%s', async (_, code, key, parts) => {
      const errors = { [key]: [expect.any(String)] };
      expect(await send(...parts)).toEqual({ status: 400, code: `request.${code}`, errors });
      expect(await fixture.fileCount()).toBe(0);
    });

    it('a body that ends before its last boundary', async () => {
      const whole = form(DOCUMENT, file('hello'));
      const cut = await fixture.upload(whole.subarray(0, -6), 'multipart/form-data; boundary=bound');

      expect(cut).toMatchObject({ status: 400, code: 'request.malformed-body' });
      expect(await fixture.fileCount()).toBe(0);
    });

    it.each([
      ['multipart/form-data', 400, 'request.malformed-body'],
      ['multipart/form-data; boundary=""', 400, 'request.malformed-body'],
      [`multipart/form-data; boundary=${'x'.repeat(71)}`, 400, 'request.malformed-body'],
      ['multipart/mixed; boundary=bound', 415, 'request.unsupported-media-type'],
      ['application/json', 415, 'request.unsupported-media-type'],
    ])('the Content-Type %j', async (type, status, code) => {
      expect(await fixture.upload(form(DOCUMENT), type)).toMatchObject({ status, code });
    });

    it.each<[string, Part[]]>([
      ['a document that is too large', [[DOCUMENT[0], Buffer.alloc(MEBIBYTE + 1, 0x20)]]],
      ['content that is too large', [DOCUMENT, file(Buffer.alloc(LIMIT + 1))]],
      ['unknown parts that are too large', [DOCUMENT, file('x'), other(Buffer.alloc(MEBIBYTE + 1))]],
    ])('%s', async (_, parts) => {
      expect(await send(...parts)).toMatchObject({ status: 413, code: 'request.too-large' });
      expect(await fixture.fileCount()).toBe(0);
    });

    it('the upload with the error that onDocument throws', async () => {
      let filesDuringCall = -1;
      onDocument = async (text) => {
        filesDuringCall = await fixture.fileCount();
        throw invalidValue('title', 'value.one-of', { values: text });
      };

      const answer = await send(DOCUMENT, file(Buffer.alloc(MEBIBYTE)));

      expect(answer).toMatchObject({ status: 400, errors: { title: ['must be one of {"title":"A"}'] } });
      expect([filesDuringCall, await fixture.fileCount()]).toEqual([0, 0]);
    });
  });
});
