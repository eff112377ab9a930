import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OpenApiDocument } from '../../../src/platform/documentation/openapi-document.js';
import { TestService } from '../../support/service/service.js';
import { BadInputFixture, TIMEOUT_MS } from './support/bad-input-fixture.js';
import { type Expected, type InputCase, BadInputRunner } from './support/bad-input-runner.js';
import { type DescribedOperation, describedOperations } from './support/described-operations.js';

const BOUNDARY = 'x-boundary';
const UPLOAD_LIMIT = 100_000;
const MALFORMED: Expected = { refused: 'request.malformed-body', at: '$' };
const OTHER_TYPE: Expected = { refused: 'request.unsupported-media-type' };
const TOO_LARGE: Expected = { refused: 'request.too-large' };
const invalid = (at: string): Expected => ({ refused: 'request.invalid', at });

interface Form {
  readonly what: string;
  readonly parts: readonly (string | Buffer)[];
  readonly expected: Expected;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

function part(name: string, body: string | Buffer, more = '', fileName?: string): Buffer {
  const file = fileName === undefined ? '' : `; filename="${fileName}"`;
  const head = `Content-Disposition: form-data; name="${name}"${file}\r\n${more}\r\n`;
  return Buffer.concat([Buffer.from(head), Buffer.from(body)]);
}

function multipart(parts: readonly (string | Buffer)[], end = `--${BOUNDARY}--\r\n`): Buffer {
  const pieces = parts.flatMap((one) => [
    Buffer.from(`--${BOUNDARY}\r\n`),
    Buffer.from(one),
    Buffer.from('\r\n'),
  ]);
  return Buffer.concat([...pieces, Buffer.from(end)]);
}

/**
 * Malformed forms for any operation that takes one.
 *
 * @param good valid parts
 */
function forms(good: readonly Buffer[]): Form[] {
  const withPart = (bad: string | Buffer): (string | Buffer)[] => [...good, bad];
  const all = (
    what: string,
    parts: readonly (string | Buffer)[],
    expected: Expected,
    more: Partial<Form> = {},
  ) => ({
    what,
    parts,
    expected,
    ...more,
  });
  const type = (value: string) => `multipart/form-data${value}`;
  return [
    all('no boundary', good, MALFORMED, { type: type('') }),
    all('an empty boundary', good, MALFORMED, { type: type('; boundary=') }),
    all('an empty boundary in quotes', good, MALFORMED, { type: type('; boundary=""') }),
    all('another boundary', good, MALFORMED, { type: type('; boundary=y') }),
    all('too long a boundary', good, MALFORMED, { type: type(`; boundary=${'y'.repeat(71)}`) }),
    all('a boundary that ends with a blank', good, MALFORMED, { type: type('; boundary="y "') }),
    all('a part without a header', withPart('x'), MALFORMED),
    all('a part without a name', withPart('Content-Disposition: form-data\r\n\r\nx'), MALFORMED),
    all('a part with an empty name', withPart('Content-Disposition: form-data; name=""\r\n\r\nx'), MALFORMED),
    all(
      'a part that is an attachment',
      withPart('Content-Disposition: attachment; name="x"\r\n\r\nx'),
      MALFORMED,
    ),
    all('a part with another header only', withPart('Content-Type: text/plain\r\n\r\nx'), MALFORMED),
    all('a header without a colon', withPart('Content-Disposition\r\n\r\nx'), MALFORMED),
    all('a header with a blank in its name', withPart('X Y: 1\r\n\r\nx'), MALFORMED),
    all('a header with NUL', withPart(part('x', 'x', 'X-A: 1\u00002\r\n')), MALFORMED),
    all('a header with DEL', withPart(part('x', 'x', 'X-A: 1\u007f2\r\n')), MALFORMED),
    all(
      'a header twice',
      withPart(part('x', 'x', 'Content-Disposition: form-data; name="y"\r\n')),
      MALFORMED,
    ),
    all('a folded header without a first line', withPart(' folded\r\n\r\nx'), MALFORMED),
    all('too large a header', withPart(part('x', 'x', `X-A: ${'x'.repeat(17_000)}\r\n`)), MALFORMED),
    all('too many headers', withPart(part('x', 'x', manyHeaders(1000))), MALFORMED),
    all(
      'too many parts',
      [...good, ...Array.from({ length: 10 }, (_, i) => part(`p${i}`, 'x'))],
      invalid('$'),
    ),
    all('too large an unknown part', withPart(part('x', Buffer.alloc(1024 * 1024 + 1))), TOO_LARGE),
    all('content twice', [...good, ...good.slice(-1)], invalid('content')),
    all(
      'content in base64',
      swapped(good, part('content', 'eA==', 'Content-Transfer-Encoding: base64\r\n', 'a')),
      invalid('content'),
    ),
    all(
      'content in quoted-printable',
      swapped(good, part('content', 'x', 'Content-Transfer-Encoding: quoted-printable\r\n', 'a')),
      invalid('content'),
    ),
    all(
      'content that is too large',
      swapped(good, part('content', Buffer.alloc(UPLOAD_LIMIT + 1), '', 'a')),
      TOO_LARGE,
    ),
    all('compressed', good, OTHER_TYPE, { headers: { 'Content-Encoding': 'gzip' } }),
    all('with an unknown encoding', good, OTHER_TYPE, { headers: { 'Content-Encoding': 'unknown' } }),
  ];
}

function swapped(good: readonly Buffer[], content: Buffer): Buffer[] {
  return [...good.slice(0, -1), content];
}

function manyHeaders(count: number): string {
  return Array.from({ length: count }, (_, index) => `X-${index}: ${'x'.repeat(20)}\r\n`).join('');
}

describe('Bad uploads', () => {
  let service: TestService;
  let runner: BadInputRunner;
  let fixture: BadInputFixture;
  let operations: DescribedOperation[];
  let document: string;
  beforeAll(async () => {
    service = await TestService.start({ UPLOAD_LIMIT_BYTES: String(UPLOAD_LIMIT) });
    operations = describedOperations(service.app.get(OpenApiDocument).document);
    fixture = await BadInputFixture.create(service);
    document = JSON.stringify({ title: 'Title' });
    runner = new BadInputRunner(service);
  });
  afterAll(async () => {
    runner.stop();
    await service.stop();
  });

  function caseOf(id: string, what: string, body: Buffer, type: string, expected: Expected): InputCase {
    const operation = operations.find((candidate) => candidate.id === id);
    if (!operation) throw new Error(`There is no operation ${id}`);
    const headers = { ...fixture.authorization, 'Content-Type': type };
    const { method } = operation;
    return {
      kind: 'form',
      operation: id,
      what,
      method,
      target: fixture.target(operation),
      headers,
      body,
      expected,
    };
  }

  const formCase = (id: string, { what, parts, expected, type, headers }: Form): InputCase => {
    const one = caseOf(
      id,
      what,
      multipart(parts),
      type ?? `multipart/form-data; boundary=${BOUNDARY}`,
      expected,
    );
    return { ...one, headers: { ...one.headers, ...headers } };
  };

  const expectNothingWritten = (cases: readonly InputCase[]) =>
    runner.expectNothingWritten(fixture.tenant, cases);

  it('are tested for every operation that accepts multipart/form-data', () => {
    const takers = operations.filter(({ mediaTypes }) => mediaTypes.includes('multipart/form-data'));
    expect(takers.map(({ id }) => id).sort()).toEqual(['CreateDocument', 'ReplaceDocumentContent']);
  });

  it(
    'in a malformed form or with unexpected parts are refused',
    async () => {
      const content = part('content', 'bytes', 'Content-Type: text/plain\r\n', 'a.txt');
      const json = 'Content-Type: application/json\r\n';
      const good = {
        CreateDocument: [part('document', document, json), content],
        ReplaceDocumentContent: [content],
      };
      await expectNothingWritten(
        Object.entries(good).flatMap(([id, parts]) => forms(parts).map((form) => formCase(id, form))),
      );
      const type = `multipart/form-data; boundary=${BOUNDARY}`;
      const whole = multipart(good.CreateDocument);
      await expectNothingWritten(
        Object.entries(good).flatMap(([id, parts]) => {
          const bytes = multipart(parts);
          return [
            ...[0, 1, 5, 20, 60, bytes.length - 6, bytes.length - 20].map((length) =>
              caseOf(id, `cut off after ${length}`, bytes.subarray(0, length), type, MALFORMED),
            ),
            caseOf(id, 'without a last boundary', multipart(parts, ''), type, MALFORMED),
            caseOf(id, 'compressed without saying so', gzipSync(bytes), type, MALFORMED),
            caseOf(
              id,
              'a boundary inside a part',
              multipart([...parts, part('x', `\r\n--${BOUNDARY}more`)]),
              type,
              MALFORMED,
            ),
          ];
        }),
      );
      expect(whole.length).toBeGreaterThan(100);
    },
    TIMEOUT_MS,
  );

  it(
    'with an invalid document part are refused',
    async () => {
      const content = part('content', 'bytes', '', 'a.txt');
      const json = 'Content-Type: application/json\r\n';
      const sent = (what: string, parts: readonly (string | Buffer)[], expected: Expected) =>
        formCase('CreateDocument', { what, parts, expected });
      const bad = (what: string, body: string | Buffer, expected: Expected, more = json) =>
        sent(what, [part('document', body, more), content], expected);
      await expectNothingWritten([
        sent('no part at all', [], invalid('document')),
        sent('no document', [part('x', 'x')], invalid('document')),
        sent('content without a document', [content], invalid('content')),
        sent('content before the document', [content, part('document', document, json)], invalid('content')),
        sent(
          'the document twice',
          [part('document', document), part('document', document)],
          invalid('document'),
        ),
        bad('as XML', '<a/>', invalid('document'), 'Content-Type: application/xml\r\n'),
        bad('in base64', document, invalid('document'), `${json}Content-Transfer-Encoding: base64\r\n`),
        bad('no JSON', '{"title":', MALFORMED),
        bad('nothing', '', MALFORMED),
        bad('too deep', `{"title":"x","a":${'['.repeat(3000)}${']'.repeat(3000)}}`, MALFORMED),
        bad('not UTF-8', Buffer.from('{"title":"\u00fc"}', 'latin1'), {
          refused: 'request.malformed-body',
          at: 'document',
        }),
        bad('no object', '[]', invalid('$')),
        bad('null', 'null', invalid('$')),
        bad('no title', '{}', invalid('title')),
        bad('a title of NUL', '{"title":"\\u0000"}', invalid('title')),
        bad('a title of half a surrogate pair', '{"title":"\\ud800"}', invalid('title')),
        bad('a wrong tag', '{"title":"x","tagIds":["x"]}', invalid('tagIds[0]')),
        bad('__proto__ for a title', '{"__proto__":{"title":"x"}}', invalid('title')),
        bad('too large', `{"title":"x","a":"${'x'.repeat(1024 * 1024)}"}`, TOO_LARGE),
      ]);
    },
    TIMEOUT_MS,
  );

  it(
    'with too large or compressed content or an unreadable file name are refused',
    async () => {
      const content = (
        what: string,
        bytes: Buffer,
        headers: Readonly<Record<string, string>>,
        expected: Expected,
      ) => {
        const one = caseOf('ReplaceDocumentContent', what, bytes, 'text/plain', expected);
        return { ...one, headers: { ...one.headers, ...headers } };
      };
      const chunked = { 'Transfer-Encoding': 'chunked' };
      const named = (value: string) => ({ 'Content-Disposition': value });
      const badName = invalid('Content-Disposition');
      await expectNothingWritten([
        content('too large', Buffer.alloc(UPLOAD_LIMIT + 1), {}, TOO_LARGE),
        content('too large, in pieces', Buffer.alloc(UPLOAD_LIMIT + 1), chunked, TOO_LARGE),
        ...['gzip', 'br', 'deflate', 'zstd', 'gzip, identity', 'unknown'].map((encoding) =>
          content(encoding, gzipSync('x'), { 'Content-Encoding': encoding }, OTHER_TYPE),
        ),
        content('bomb', gzipSync(Buffer.alloc(8 * 1024 * 1024)), { 'Content-Encoding': 'gzip' }, OTHER_TYPE),
        ...[
          "attachment; filename*=UTF-8''%FF",
          "attachment; filename*=KOI8-R''x",
          "attachment; filename*=''",
        ].map((value) => content(value, Buffer.from('x'), named(value), badName)),
      ]);
      const nothing = caseOf('ReplaceDocumentContent', 'nothing', Buffer.alloc(0), 'text/plain', MALFORMED);
      await expectNothingWritten([{ ...nothing, headers: fixture.authorization }]);
    },
    TIMEOUT_MS,
  );
});
