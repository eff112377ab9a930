import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { createServer, type Server } from 'node:http';
import path from 'node:path';
import { invalidValue, Problem } from '../../src/common/problem.js';
import { type MultipartUpload, readMultipartUpload } from '../../src/http/multipart-upload.js';
import {
  bytesOf,
  eventually,
  pseudoRandomBytes,
  sha256Of,
  StoreFixture,
  TENANT,
} from '../support/content-fixtures.js';

const LIMIT = 3 * 1024 * 1024;
const MEBIBYTE = 1024 * 1024;

type Answer = { status: number; code?: string; errors?: Record<string, string[]> } & Partial<MultipartUpload>;

describe('readMultipartUpload', () => {
  let fixture: StoreFixture;
  let server: Server;
  let port: number;
  let onDocument: (text: string) => void | Promise<void>;
  let settled: Answer[];

  beforeAll(async () => {
    server = createServer((request, response) => {
      void readMultipartUpload(request, {
        store: fixture.store,
        limit: LIMIT,
        onDocument: (text) => onDocument(text),
      })
        .then(
          (upload): Answer => ({ status: 200, ...upload }),
          (error: unknown): Answer =>
            error instanceof Problem
              ? { status: error.status, code: error.code, errors: error.errors }
              : { status: 500, code: String(error) },
        )
        .then((answer) => {
          settled.push(answer);
          const body = Buffer.from(JSON.stringify(answer));
          response.writeHead(answer.status, { 'Content-Length': body.length }).end(body);
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
    fixture = await StoreFixture.create();
    onDocument = () => {};
    settled = [];
  });
  afterEach(async () => {
    expect(await fixture.openFiles()).toEqual([]);
    await fixture.destroy();
  });

  async function upload(body: FormData | Buffer | string, contentType?: string): Promise<Answer> {
    const response = await fetch(`http://127.0.0.1:${port}/`, {
      method: 'POST',
      body,
      headers: contentType ? { 'Content-Type': contentType } : undefined,
    });
    return (await response.json()) as Answer;
  }

  function form(...parts: [headers: string, body: string | Buffer][]): Buffer {
    return Buffer.concat([
      ...parts.flatMap(([headers, body]) => [
        Buffer.from(`--bound\r\n${headers}\r\n\r\n`),
        Buffer.from(body),
        Buffer.from('\r\n'),
      ]),
      Buffer.from('--bound--\r\n'),
    ]);
  }
  const send = (...parts: [headers: string, body: string | Buffer][]): Promise<Answer> =>
    upload(form(...parts), 'multipart/form-data; boundary=bound');

  const DOCUMENT: [string, string] = [
    'Content-Disposition: form-data; name="document"\r\nContent-Type: application/json',
    '{"title":"A"}',
  ];
  const file = (body: string | Buffer, headers = ''): [string, string | Buffer] => [
    `Content-Disposition: form-data; name="content"; filename="a.pdf"${headers}`,
    body,
  ];
  const incoming = async (): Promise<number> => (await fixture.files()).length;

  describe('takes', () => {
    it('what a browser sends', async () => {
      const bytes = pseudoRandomBytes(2 * MEBIBYTE);
      const data = new FormData();
      data.append('document', new Blob(['{"title":"Prüfung \ufffd"}'], { type: 'application/json' }));
      data.append('content', new File([bytes], 'Gro\u0308ße "1".pdf', { type: 'application/pdf' }));

      const answer = await upload(data);

      expect(answer).toMatchObject({
        status: 200,
        document: '{"title":"Prüfung \ufffd"}',
        content: {
          fileName: 'Größe "1".pdf',
          mediaType: 'application/pdf',
          received: { sha256: sha256Of(bytes), size: bytes.length },
        },
      });
      const received = answer.content?.received;
      if (received) await fixture.store.keep(TENANT, received);
      expect((await bytesOf(await fixture.store.open(TENANT, sha256Of(bytes)))).equals(bytes)).toBe(true);
    });

    it('a document alone', async () => {
      expect(await send(DOCUMENT)).toEqual({ status: 200, document: '{"title":"A"}', content: null });
    });

    it.each([
      ['without a type', ''],
      ['with a charset', '\r\nContent-Type: application/json; charset=utf-8'],
      ['as plain text', '\r\nContent-Type: text/plain;charset=UTF-8'],
      ['as a file', '; filename=blob\r\nContent-Type: application/json'],
    ])('a document %s', async (_, rest) => {
      expect(
        await send([`Content-Disposition: form-data; name=document${rest}`, '{"title":"Ä"}']),
      ).toMatchObject({
        status: 200,
        document: '{"title":"Ä"}',
      });
    });

    it('a content without a file name', async () => {
      expect(
        await send(DOCUMENT, [
          'Content-Disposition: form-data; name="content"\r\nContent-Type: application/pdf',
          '\x00\xff',
        ]),
      ).toMatchObject({
        status: 200,
        content: { fileName: null, mediaType: 'application/pdf', received: { size: 3 } },
      });
    });

    it('an empty file, but not the empty field of a form in which none was chosen', async () => {
      expect(await send(DOCUMENT, file(''))).toMatchObject({
        content: { fileName: 'a.pdf', received: { size: 0 } },
      });
      expect(await incoming()).toBe(1);

      const none = await send(DOCUMENT, ['Content-Disposition: form-data; name="content"; filename=""', '']);
      expect(none).toMatchObject({ status: 200, content: null });
      expect(await incoming()).toBe(1);
    });

    it('content up to the limit', async () => {
      expect(await send(DOCUMENT, file(Buffer.alloc(LIMIT)))).toMatchObject({
        status: 200,
        content: { received: { size: LIMIT } },
      });
    });

    it('and ignores other parts', async () => {
      const other: [string, string] = [
        'Content-Disposition: form-data; name="other"; filename="x"',
        'ignored',
      ];
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
    ['"a%0D%0Ab.pdf"', 'ab.pdf'],
    ['"invoice\u202egpj.exe"', 'invoicegpj.exe'],
    ['"   "', null],
    ['".."', null],
    ['"folder/"', null],
    [`"${'ü'.repeat(300)}"`, 'ü'.repeat(255)],
    ['"ascii.pdf"; filename*=UTF-8\'\'%e2%82%ac.pdf', '€.pdf'],
    ['"🗂️ files.pdf"', '🗂️ files.pdf'],
  ])('calls a file that comes as %s %j', async (given, name) => {
    const answer = await send(DOCUMENT, [
      `Content-Disposition: form-data; name="content"; filename=${given}`,
      'x',
    ]);

    expect(answer.content?.fileName).toBe(name);
  });

  it.each([
    ['APPLICATION/PDF', 'application/pdf'],
    ['text/plain; charset=utf-8', 'text/plain'],
    ['image/svg+xml', 'image/svg+xml'],
    ['pdf', 'application/octet-stream'],
    ['text/pl ain', 'application/octet-stream'],
    ['', 'application/octet-stream'],
    [`text/${'x'.repeat(300)}`, 'application/octet-stream'],
  ])('takes the type %j for %s', async (given, type) => {
    const answer = await send(DOCUMENT, file('x', `\r\nContent-Type: ${given}`));

    expect(answer.content?.mediaType).toBe(type);
  });

  describe('refuses, leaving nothing,', () => {
    it.each<[string, [string, string | Buffer][], string]>([
      ['a request without a document', [], 'document'],
      [
        'a document of another type',
        [['Content-Disposition: form-data; name="document"\r\nContent-Type: text/xml', '<a/>']],
        'document',
      ],
      ['a document given twice', [DOCUMENT, DOCUMENT], 'document'],
      ['content before the document', [file('x'), DOCUMENT], 'content'],
      ['content given twice', [DOCUMENT, file('x'), file('y')], 'content'],
      ['encoded content', [DOCUMENT, file('eA==', '\r\nContent-Transfer-Encoding: base64')], 'content'],
      [
        'too many parts',
        [
          DOCUMENT,
          file('x'),
          ...Array<[string, string]>(9).fill(['Content-Disposition: form-data; name="x"', '']),
        ],
        '$',
      ],
    ])('%s', async (_, parts, key) => {
      const answer = await send(...parts);

      expect(answer).toEqual({
        status: 400,
        code: 'request.invalid',
        errors: { [key]: [expect.any(String)] },
      });
      expect(await incoming()).toBe(0);
    });

    it.each<[string, [string, string | Buffer][], string]>([
      [
        'a document that is not UTF-8',
        [[DOCUMENT[0], Buffer.from('{"title":"\xfc"}', 'latin1')]],
        'document',
      ],
      ['a part without a name', [DOCUMENT, file('x'), ['Content-Disposition: form-data', '']], '$'],
      ['a part without a disposition', [DOCUMENT, file('x'), ['Content-Type: text/plain', '']], '$'],
      [
        'a header that cannot be read',
        [DOCUMENT, ['Content-Disposition; form-data; name="content"', '']],
        '$',
      ],
    ])('%s', async (_, parts, key) => {
      const answer = await send(...parts);

      expect(answer).toEqual({
        status: 400,
        code: 'request.malformed-body',
        errors: { [key]: [expect.any(String)] },
      });
      expect(await incoming()).toBe(0);
    });

    it('a body that ends before its last boundary', async () => {
      const whole = form(DOCUMENT, file('hello'));
      const cut = await upload(whole.subarray(0, -6), 'multipart/form-data; boundary=bound');

      expect(cut).toMatchObject({ status: 400, code: 'request.malformed-body' });
      expect(await incoming()).toBe(0);
    });

    it.each([
      ['multipart/form-data', 400, 'request.malformed-body'],
      ['multipart/form-data; boundary=""', 400, 'request.malformed-body'],
      [`multipart/form-data; boundary=${'x'.repeat(71)}`, 400, 'request.malformed-body'],
      ['multipart/mixed; boundary=bound', 415, 'request.unsupported-media-type'],
      ['application/json', 415, 'request.unsupported-media-type'],
    ])('the type %j', async (type, status, code) => {
      expect(await upload(form(DOCUMENT), type)).toMatchObject({ status, code });
    });

    it.each<[string, [string, string | Buffer][]]>([
      ['too large a document', [[DOCUMENT[0], Buffer.alloc(MEBIBYTE + 1, 0x20)]]],
      ['too large a content', [DOCUMENT, file(Buffer.alloc(LIMIT + 1))]],
      [
        'too much that is ignored',
        [DOCUMENT, file('x'), ['Content-Disposition: form-data; name="x"', Buffer.alloc(MEBIBYTE + 1)]],
      ],
    ])('%s', async (_, parts) => {
      expect(await send(...parts)).toMatchObject({ status: 413, code: 'request.too-large' });
      expect(await incoming()).toBe(0);
    });

    it('what onDocument refuses, before any content is stored', async () => {
      let filesThen = -1;
      onDocument = async (text) => {
        filesThen = await incoming();
        throw invalidValue('title', text);
      };

      const answer = await send(DOCUMENT, file(Buffer.alloc(MEBIBYTE)));

      expect(answer).toMatchObject({ status: 400, errors: { title: ['{"title":"A"}'] } });
      expect([filesThen, await incoming()]).toEqual([0, 0]);
    });
  });

  describe('on the wire', () => {
    /** Everything that the server says, and whether it closed the connection. */
    class Wire {
      text = '';
      closed = false;
      private constructor(readonly socket: Socket) {
        socket.on('data', (data) => (this.text += data.toString('latin1')));
        socket.on('close', () => (this.closed = true));
        socket.on('error', () => {});
      }
      static async open(): Promise<Wire> {
        const socket = connect(port, '127.0.0.1');
        await new Promise((resolve) => socket.once('connect', resolve));
        return new Wire(socket);
      }
      send(bytes: string | Buffer): this {
        this.socket.write(bytes);
        return this;
      }
      async statuses(count: number): Promise<string[]> {
        const found = (): string[] => this.text.match(/(?<=HTTP\/1\.1 )\d{3}/g) ?? [];
        await eventually(() => found().length >= count || this.closed);
        return found();
      }
    }
    const head = (length: number | 'chunked'): string =>
      `POST / HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=bound\r\n${
        length === 'chunked' ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`
      }\r\n\r\n`;

    it('takes a body that comes byte by byte', async () => {
      const body = form(DOCUMENT, file('hello'));
      const wire = await Wire.open();
      wire.socket.setNoDelay(true);
      wire.send(head(body.length));
      for (const byte of body) {
        wire.send(Buffer.of(byte));
        await new Promise((resolve) => setImmediate(resolve));
      }

      expect(await wire.statuses(1)).toEqual(['200']);
      expect(settled[0]?.content?.received.sha256).toBe(sha256Of('hello'));
      wire.socket.destroy();
    });

    it('refuses by Content-Length alone', async () => {
      const wire = (await Wire.open()).send(head(100 * MEBIBYTE));

      expect(await wire.statuses(1)).toEqual(['413']);
      wire.socket.destroy();
    });

    it('goes on with the connection after a refusal', async () => {
      const [bad, good] = [form(file(pseudoRandomBytes(MEBIBYTE)), DOCUMENT), form(DOCUMENT, file('hello'))];
      const wire = await Wire.open();

      wire.send(head(bad.length)).send(bad).send(head(good.length)).send(good);

      expect(await wire.statuses(2)).toEqual(['400', '200']);
      wire.socket.destroy();
    });

    it('answers a client that sends without end, and then closes the connection', async () => {
      const wire = await Wire.open();
      const piece = Buffer.concat([Buffer.from('10000\r\n'), Buffer.alloc(65_536), Buffer.from('\r\n')]);
      const part = form(DOCUMENT, file('x')).subarray(0, -12);
      wire
        .send(head('chunked'))
        .send(`${part.length.toString(16)}\r\n`)
        .send(part)
        .send('\r\n');
      const pump = (): void => {
        while (!wire.closed && wire.socket.write(piece));
      };
      wire.socket.on('drain', pump);
      pump();

      expect(await wire.statuses(1)).toEqual(['413']);
      await eventually(() => wire.closed);
      expect(wire.socket.bytesWritten).toBeLessThan(64 * MEBIBYTE);
      expect(await incoming()).toBe(0);
    });

    it('leaves nothing of a client that hangs up in the middle, wherever that is', async () => {
      const body = form(DOCUMENT, file(pseudoRandomBytes(200_000)), [
        'Content-Disposition: form-data; name="x"',
        'x',
      ]);
      const cuts = [0, 10, 60, 130, 250, 100_000, 200_200, body.length - 5];
      for (const cut of cuts) {
        const wire = (await Wire.open()).send(head(body.length)).send(body.subarray(0, cut));
        if (cut > 90_000) await eventually(async () => (await incoming()) > 0);
        wire.socket.destroy();
        await eventually(() => settled.length > cuts.indexOf(cut));
      }

      expect(settled.map(({ code }) => code)).toEqual(cuts.map(() => 'request.malformed-body'));
      expect(await incoming()).toBe(0);
      expect((await send(DOCUMENT)).status).toBe(200);
      expect(settled).toHaveLength(cuts.length + 1);
    });

    it('does not wait for a slow client when the store fails', async () => {
      await writeFile(path.join(fixture.directory, 'incoming'), 'in the way');
      const part = form(DOCUMENT, file('the beginning of a long file')).subarray(0, -12);

      const wire = (await Wire.open()).send(head(MEBIBYTE)).send(part);

      expect(await wire.statuses(1)).toEqual(['503']);
      wire.socket.destroy();
    });
  });
});
