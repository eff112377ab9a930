import { deflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Extraction } from '../../../src/platform/extraction/extractor.js';
import { buildMessage } from '../../factories/content/mail-messages.js';
import { buildDocx, buildOpenDocument, buildXlsx, paragraph } from '../../factories/content/office-files.js';
import { buildPdf, buildPdfOfStream } from '../../factories/content/pdf-files.js';
import { buildZip } from '../../factories/content/zip-file.js';
import { pseudoRandomBytes } from '../../support/content-fixtures.js';
import { TestExtraction, extractionOf } from '../../support/extraction.js';
import { waitFor, waitUntil } from '../../support/wait-until.js';

const MIB = 1024 * 1024;
/** Small limits, so that files that exceed them are built and read quickly. */
const LIMITS = { memory: 256 * MIB, decompressed: 8 * MIB, text: 500_000 };
const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

/** Repeats one byte in the encoding of RunLengthDecode (ISO 32000-1, 7.4.5): two bytes stand for 128. */
function runOf(byte: number, length: number): Buffer {
  return Buffer.alloc((length / 128) * 2, Buffer.from([129, byte]));
}

describe('Reading a hostile file', () => {
  let extraction: TestExtraction;
  beforeAll(async () => {
    extraction = await TestExtraction.start({ limits: LIMITS });
  });
  afterAll(() => extraction.stop());

  const expectNextFileWorks = async (): Promise<void> => {
    expect((await extraction.extract(buildDocx({ body: paragraph('weiter') }))).text).toBe('weiter');
  };

  describe('that decompresses to a very large size', () => {
    it('stops if the directory announces more than the limit', async () => {
      const body = Buffer.alloc(LIMITS.decompressed + 1, '<w:p/>');
      const bytes = buildZip([
        { name: '[Content_Types].xml', content: '<Types/>' },
        { name: 'word/document.xml', content: body },
      ]);
      expect(bytes.length).toBeLessThan(MIB);
      expect(await extraction.extract(bytes)).toMatchObject({
        mediaType: DOCX,
        text: null,
        failure: 'OutputLimitExceeded',
      });
      await expectNextFileWorks();
    });

    it('stops if a part is larger than announced in the directory', async () => {
      const bytes = buildDocx({
        body: '',
        extraEntries: [
          { name: 'word/header1.xml', content: Buffer.alloc(20 * MIB, '<w:p/>'), claimedSize: 1000 },
        ],
      });
      expect(await extraction.extract(bytes)).toMatchObject({ mediaType: DOCX, failure: 'Corrupted' });
      await expectNextFileWorks();
    });

    it('counts the decompressed bytes of all parts together', async () => {
      // Parts without text: the text limit would end the reading earlier.
      const part = Buffer.alloc(0.4 * LIMITS.decompressed, '<w:x/>');
      const more = [1, 2, 3].map((number) => ({ name: `word/header${number}.xml`, content: part }));
      const two = await extraction.extract(buildDocx({ body: paragraph('x'), extraEntries: more.slice(1) }));
      expect(two).toMatchObject({ text: 'x', failure: null });
      const three = await extraction.extract(buildDocx({ body: paragraph('x'), extraEntries: more }));
      expect(three).toMatchObject({ text: null, failure: 'OutputLimitExceeded' });
    });

    it('ends with MemoryLimitExceeded for a stream in a PDF', async () => {
      const bytes = buildPdfOfStream(
        '<</Filter [/FlateDecode /RunLengthDecode]>>',
        deflateSync(runOf(0x20, 1024 * MIB)),
      );
      expect(bytes.length).toBeLessThan(MIB);
      expect(await extraction.extract(bytes)).toEqual(
        extractionOf({
          mediaType: 'application/pdf',
          pageCount: 1,
          failure: 'MemoryLimitExceeded',
        }),
      );
      await expectNextFileWorks();
    });

    it('does not open archives in archives', async () => {
      let bytes = buildZip([{ name: 'zeros', content: Buffer.alloc(10 * MIB) }]);
      for (let depth = 0; depth < 20; depth += 1) {
        bytes = buildZip(
          Array.from({ length: 10 }, (_, index) => ({ name: `${index}.zip`, content: bytes })),
        );
        if (bytes.length > MIB) break;
      }
      expect(await extraction.extract(bytes)).toMatchObject({ mediaType: 'application/zip', failure: null });
    });
  });

  it('that takes too long ends with TimeLimitExceeded', async () => {
    const stream = deflateSync(Buffer.alloc(80 * MIB, 'q Q '));
    const bytes = buildPdfOfStream('<</Filter /FlateDecode>>', stream);
    let timeMs = 750;
    const ended = async (): Promise<Extraction | false> => {
      const slow = await TestExtraction.start({ limits: { timeMs: (timeMs *= 2) } });
      try {
        const extracted = await slow.extract(bytes);
        await waitUntil(async () => (await slow.extract('weiter')).text === 'weiter');
        // On a busy machine the time may end before the pages are counted. Then retry with more time.
        return extracted.pageCount !== null && extracted;
      } finally {
        await slow.stop();
      }
    };
    expect(await waitFor(ended, 'The page count')).toEqual(
      extractionOf({
        mediaType: 'application/pdf',
        pageCount: 1,
        failure: 'TimeLimitExceeded',
      }),
    );
  });

  it('with a line of 100 MB truncates the text', async () => {
    const { mediaType, text, failure } = await extraction.extract(Buffer.alloc(100 * MIB, 'wort '));
    expect({ mediaType, failure, length: text?.length }).toEqual({
      mediaType: 'text/plain',
      failure: null,
      length: LIMITS.text - 1,
    });
  });

  it('with recursive XML entities ("billion laughs") does not expand them', async () => {
    const entities = Array.from(
      { length: 10 },
      (_, index) => `<!ENTITY l${index + 1} "${`&l${index};`.repeat(10)}">`,
    );
    const laughs = `<!DOCTYPE x [<!ENTITY l0 "ha"><!ENTITY f SYSTEM "file:///etc/passwd">${entities.join('')}]>`;
    const xml = await extraction.extract(`<?xml version="1.0"?>${laughs}<x>&l10; &f; Ende</x>`);
    expect(xml).toMatchObject({ mediaType: 'application/xml', failure: null });
    expect(xml.text).toMatch(/&l10; &f; Ende$/);
    expect(xml.text).not.toMatch(/haha|root/);
    const header = { name: 'word/header1.xml', content: `${laughs}<w:hdr>${paragraph('&l10;')}</w:hdr>` };
    const docx = await extraction.extract(buildDocx({ body: '', extraEntries: [header] }));
    expect(docx).toMatchObject({ text: '&l10;', failure: null });
  });

  it('with a million nested elements ends with Corrupted', async () => {
    const deep = '<b>'.repeat(1_000_000);
    expect((await extraction.extract(`<!doctype html>${deep}Grund`)).failure).toBe('Corrupted');
    expect((await extraction.extract(`<?xml version="1.0"?>${deep}Grund`)).failure).toBe('Corrupted');
    const docx = await extraction.extract(buildDocx({ body: `${deep}${paragraph('Grund')}` }));
    expect(docx.failure).toBe('Corrupted');
    await expectNextFileWorks();
  });

  it('with a wrong checksum of a part ends with Corrupted', async () => {
    const more = [{ name: 'word/header1.xml', content: paragraph('x'), claimedChecksum: 1 }];
    expect((await extraction.extract(buildDocx({ body: '', extraEntries: more }))).failure).toBe('Corrupted');
  });

  describe('that is truncated', () => {
    const whole: [string, Buffer][] = [
      ['a docx', buildDocx({ body: paragraph('Text '.repeat(500)), pages: 1 })],
      ['an xlsx', buildXlsx({ shared: ['a'], sheets: { A: '<row><c t="s"><v>0</v></c></row>' } })],
      ['an odt', buildOpenDocument({ kind: 'text', body: '<text:p>Text</text:p>' })],
      ['a PDF', buildPdf([['Text'], ['Text']])],
      ['a message', buildMessage({ subject: 'x', parts: [{ type: 'text/plain', content: 'Text' }] })],
    ];
    it.each(whole)('ends normally or with Corrupted: %s', async (_, bytes) => {
      for (let tenths = 0; tenths < 10; tenths += 1) {
        const { failure } = await extraction.extract(
          bytes.subarray(0, Math.floor((bytes.length * tenths) / 10)),
        );
        expect([null, 'Corrupted']).toContain(failure);
      }
      expect((await extraction.extract(bytes)).failure).toBeNull();
    });
  });

  it.each([
    ['%PDF-1.7\n'],
    ['PK\x03\x04'],
    ['PK\x05\x06'],
    ['\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'],
    ['II*\0'],
    ['MM\0+'],
    ['\x89PNG\r\n\x1a\n'],
    ['\xff\xd8\xff\xe0'],
    ['GIF89a'],
    ['RIFF\0\0\0\0WEBP'],
    ['BM'],
    ['From: a@example.com\r\nTo: b@example.com\r\n\r\n'],
    ['<html>'],
    ['<?xml version="1.0"?>'],
    ['\ufeff'],
  ])('of random bytes after the signature %j ends', async (start) => {
    for (const seed of [1, 2, 3]) {
      const bytes = Buffer.concat([Buffer.from(start, 'latin1'), pseudoRandomBytes(30_000, seed)]);
      const { failure } = await extraction.extract(bytes);
      expect([null, 'Corrupted', 'Encrypted']).toContain(failure);
    }
    await expectNextFileWorks();
  });
});
