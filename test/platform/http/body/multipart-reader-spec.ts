import { describe, expect, it } from '@jest/globals';
import { MultipartReader } from '../../../../src/platform/http/body/multipart-reader.js';
import { WAIT_TIMEOUT_MS } from '../../../support/wait-until.js';

const BODY = Buffer.from(
  [
    'a preamble',
    '--b=_1',
    'Content-Disposition: form-data; name="one"',
    'X-Folded:  value ',
    '\tfolded',
    '',
    '{"a":1}',
    '--b=_1 \t',
    'content-disposition: form-data; name="zwei"; filename="größe.bin"',
    '',
    'bytes\r\n--b=_\r\n\r\n--b=_2\r\n\r',
    '--b=_1',
    '',
    '',
    '--b=_1--',
    'an epilogue',
  ].join('\r\n'),
);

interface Read {
  headers: Record<string, string>;
  body: string;
}

function readerOf(chunks: Buffer[], boundary = 'b=_1'): MultipartReader {
  const left = [...chunks];
  return new MultipartReader(async () => left.shift() ?? null, boundary);
}

async function partsOf(chunks: Buffer[], boundary?: string): Promise<Read[]> {
  const reader = readerOf(chunks, boundary);
  const parts: Read[] = [];
  for (let part; (part = await reader.nextPart()) !== null;) {
    const body: Buffer[] = [];
    for await (const chunk of part.body) body.push(chunk);
    parts.push({ headers: Object.fromEntries(part.headers), body: Buffer.concat(body).toString() });
  }
  return parts;
}

const PARTS: Read[] = [
  {
    headers: { 'content-disposition': 'form-data; name="one"', 'x-folded': 'value folded' },
    body: '{"a":1}',
  },
  {
    headers: { 'content-disposition': 'form-data; name="zwei"; filename="größe.bin"' },
    body: 'bytes\r\n--b=_\r\n\r\n--b=_2\r\n\r',
  },
  { headers: {}, body: '' },
];
const END = BODY.indexOf('--b=_1--') + '--b=_1--'.length;

describe('MultipartReader', () => {
  it('returns the headers and body of each part', async () => {
    expect(await partsOf([BODY])).toEqual(PARTS);
  });

  it('returns the same parts for any division into chunks', async () => {
    for (let cut = 1; cut < BODY.length; cut += 1) {
      expect(await partsOf([BODY.subarray(0, cut), BODY.subarray(cut)])).toEqual(PARTS);
    }
    expect(await partsOf(Array.from(BODY, (byte) => Buffer.of(byte)))).toEqual(PARTS);
  });

  it('rejects a body that ends before its last boundary', async () => {
    for (let length = 0; length < END; length += 1) {
      await expect(partsOf([BODY.subarray(0, length)])).rejects.toMatchObject({
        code: 'request.malformed-body',
      });
    }
    expect(await partsOf([BODY.subarray(0, END)])).toEqual(PARTS);
  });

  it('skips the unread bytes of a part', async () => {
    const reader = readerOf(Array.from(BODY, (byte) => Buffer.of(byte)));

    expect((await reader.nextPart())?.headers.get('x-folded')).toBe('value folded');
    const second = await reader.nextPart();
    for await (const chunk of second?.body ?? []) {
      expect(chunk.length).toBeGreaterThan(0);
      break;
    }
    expect((await reader.nextPart())?.headers.size).toBe(0);
    expect(await reader.nextPart()).toBeNull();
  });

  it('buffers only a few chunks of a large body', async () => {
    const pieces = 1000;
    let given = 0;
    const reader = new MultipartReader(async () => {
      given += 1;
      if (given === 1) return Buffer.from('--b\r\n\r\n');
      if (given === pieces) return Buffer.from('\r\n--b--');
      return Buffer.alloc(65_536);
    }, 'b');

    const part = await reader.nextPart();
    let largest = 0;
    let taken = 0;
    for await (const chunk of part?.body ?? []) {
      largest = Math.max(largest, chunk.length);
      taken += chunk.length;
      expect(given * 65_536 - taken).toBeLessThan(4 * 65_536);
    }
    expect(taken).toBe((pieces - 2) * 65_536);
    expect(largest).toBeLessThan(2 * 65_536);
  });

  it('parses headers with many blanks in linear time', async () => {
    const header = `A: a${' '.repeat(16_000)}b`;
    const folded = ` a${'\t'.repeat(16_000)}b`;
    const part = `--b=_1\r\n${header}\r\n\r\nx\r\n--b=_1\r\nA: a\r\n${folded}\r\n\r\nx\r\n`;
    const pieces = [...Array.from({ length: 1000 }, () => Buffer.from(part)), Buffer.from('--b=_1--')];
    const reader = readerOf(pieces);
    // With quadratic time this would take minutes.
    const begin = performance.now();
    let parts = 0;
    for (let next = await reader.nextPart(); next; next = await reader.nextPart()) {
      if (parts === 0) expect(Object.fromEntries(next.headers)).toEqual({ a: header.slice(3) });
      parts += 1;
      expect(performance.now() - begin).toBeLessThan(WAIT_TIMEOUT_MS);
    }
    expect(parts).toBe(2000);
  });

  it.each([
    ['a header without a colon', '--b\r\nContent-Disposition\r\n\r\nx\r\n--b--'],
    ['a header with a space before its colon', '--b\r\nContent-Disposition : x\r\n\r\nx\r\n--b--'],
    ['a header without a name', '--b\r\n: x\r\n\r\nx\r\n--b--'],
    ['a folded line without a header', '--b\r\n A: x\r\n\r\nx\r\n--b--'],
    ['a header twice', '--b\r\nA: x\r\na: y\r\n\r\nx\r\n--b--'],
    ['a header with NUL', '--b\r\nA: x\u0000y\r\n\r\nx\r\n--b--'],
    ['a header with a bare line feed', '--b\r\nA: x\nB: y\r\n\r\nx\r\n--b--'],
    ['line feeds alone', '--b\nA: x\n\nx\n--b--\n'],
    ['a header that is too long', `--b\r\nA: ${'x'.repeat(17_000)}\r\n\r\nx\r\n--b--`],
    [
      'too many headers',
      `--b\r\n${Array.from({ length: 1000 }, (_, i) => `header-${i}: value`).join('\r\n')}\r\n\r\nx\r\n--b--`,
    ],
    ['a header that never ends', `--b\r\nA: ${'x'.repeat(100_000)}`],
    ['a boundary with more characters after it', '--b\r\n\r\nhello\r\n--boundary\r\nworld\r\n--b--'],
    ['a body without boundary', 'hello'],
    ['an empty body', ''],
  ])('rejects %s', async (_, body) => {
    for (const chunks of [
      [Buffer.from(body)],
      body.length < 1000 ? Array.from(Buffer.from(body), (byte) => Buffer.of(byte)) : [],
    ]) {
      await expect(partsOf(chunks, 'b')).rejects.toMatchObject({
        code: 'request.malformed-body',
        options: { errors: { $: [{ code: expect.stringMatching(/^multipart\./) }] } },
      });
    }
  });

  it.each(['', ' ', 'x'.repeat(71), 'a\u0000b', 'ä', 'ends with a space '])(
    'rejects the boundary %j',
    (boundary) => {
      expect(() => readerOf([], boundary)).toThrow('boundary');
    },
  );

  it('returns no parts if there is only the final boundary', async () => {
    expect(await partsOf([Buffer.from('--b--')], 'b')).toEqual([]);
  });
});
