import { describe, expect, it, jest } from '@jest/globals';
import { type Extraction } from '../../src/platform/extraction/extractor.js';
import { type ExtractionLimits } from '../../src/platform/extraction/extraction-limits.js';
import { HEIC_PHOTO, HEIC_PHOTO_TEXT } from '../factories/content/heic-file.js';
import { buildTiffPictures } from '../factories/content/pictures.js';
import { bilevel, buildMixedPages, scan } from '../factories/content/scans.js';
import { TestExtraction, extractionOf } from '../support/extraction.js';

jest.setTimeout(600_000);

const MIB = 1024 * 1024;
const LONG_LIMIT = { timeMs: 600_000 };
const LINE = 'Bescheid über die Größe der Fläche';
/** Pages that no machine reads within 15 seconds. */
const MANY = 400;
const MANY_LINES = scan(Array.from({ length: 6 }, () => LINE));
const PLACE = { x: 50, y: 300, width: 500, height: 161 };

async function extract(bytes: Buffer, limits: Partial<ExtractionLimits>): Promise<Extraction> {
  const extraction = await TestExtraction.start({ ocr: 'deu+eng', limits });
  try {
    return await extraction.extract(bytes);
  } finally {
    await extraction.stop();
  }
}

describe('A limit that OCR exceeds', () => {
  it('is not reached by many pages with large images', async () => {
    const numbers = [1, 2, 3, 4, 5, 6];
    const pages = numbers.map((number) => ({
      lines: [`Seite ${number}`],
      images: [
        {
          canvas: scan([LINE], { width: 4000, height: 3000 }),
          place: { x: 50, y: 300, width: 500, height: 375 },
        },
      ],
    }));
    const { text, failure, recognisedPages } = await extract(buildMixedPages(pages), LONG_LIMIT);
    expect({ failure, recognisedPages }).toEqual({ failure: null, recognisedPages: numbers });
    expect(text?.split('\f')).toEqual(
      numbers.map((number) => expect.stringMatching(`^Seite ${number}\n\n\\S`)),
    );
  });

  it.each([
    ['a photo of 12 megapixels', () => HEIC_PHOTO, HEIC_PHOTO_TEXT],
    [
      'a scan of 33 megapixels',
      () => {
        const canvas = scan(['Gescannt'], { width: 4890, height: 6790 }, 120);
        return buildMixedPages([{ lines: [], images: [{ canvas, place: { ...PLACE, y: 0, height: 694 } }] }]);
      },
      'Gescannt',
    ],
  ])('of memory is not reached by %s', async (_, build, text) => {
    expect(await extract(build(), LONG_LIMIT)).toMatchObject({
      text,
      failure: null,
    });
  });

  it('keeps the text and what was recognised before, each on its page', async () => {
    const bytes = buildMixedPages([
      { lines: ['Seite eins'], images: [{ canvas: scan([LINE]), place: PLACE }] },
      { lines: [], images: [{ canvas: scan([LINE]), place: PLACE }] },
      // Decoding needs more than the limit.
      { lines: ['Seite drei'], images: [{ canvas: scan([], { width: 5000, height: 6900 }), place: PLACE }] },
      { lines: ['Seite vier'], images: [] },
    ]);
    expect(await extract(bytes, { ...LONG_LIMIT, memory: 300 * MIB })).toEqual(
      extractionOf({
        mediaType: 'application/pdf',
        pageCount: 4,
        text: `Seite eins\n\n${LINE}\f${LINE}\fSeite drei\fSeite vier`,
        recognisedPages: [1, 2],
      }),
    );
  });

  it('is a failure if the file has no text', async () => {
    const bytes = buildMixedPages([
      { lines: [], images: [{ canvas: scan([], { width: 5000, height: 6900 }), place: PLACE }] },
    ]);
    expect(await extract(bytes, { ...LONG_LIMIT, memory: 300 * MIB })).toMatchObject({
      pageCount: 1,
      text: null,
      failure: 'MemoryLimitExceeded',
    });
  });

  it('is TimeLimitExceeded for a TIFF of which nothing was read', async () => {
    // tesseract needs far longer for so many words.
    const lines = Array.from({ length: 150 }, () => 'viele Worte zum Lesen '.repeat(6));
    const bytes = buildTiffPictures([bilevel(scan(lines, { width: 2000, height: 7600 }))]);
    expect(await extract(bytes, { timeMs: 3000 })).toMatchObject({
      mediaType: 'image/tiff',
      text: null,
      failure: 'TimeLimitExceeded',
    });
  });

  it.each([
    ['TIFF', () => buildTiffPictures(Array.from({ length: MANY }, () => bilevel(MANY_LINES)))],
    [
      'PDF',
      () => {
        const images = [{ canvas: MANY_LINES, place: { x: 0, y: 0, width: 595, height: 192 } }];
        return buildMixedPages(Array.from({ length: MANY }, () => ({ lines: [], images })));
      },
    ],
  ])('keeps the pages of a %s that were read', async (_, build) => {
    const bytes = build();
    let found: Extraction | undefined;
    // No machine reads all pages within the shortest limit. A slow machine that reads none gets a longer limit.
    for (const timeMs of [15_000, 45_000, 135_000])
      if (!found?.text) found = await extract(bytes, { timeMs });
    expect(found).toMatchObject({ pageCount: MANY, failure: null });
    const read = found?.text?.split('\f').filter((page) => page !== '') ?? [];
    expect(read[0]).toContain(LINE);
    expect(read.length).toBeLessThan(MANY);
    expect(found?.recognisedPages).toEqual(read.map((__, index) => index + 1));
  });
});
