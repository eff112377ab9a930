import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { HEIC_FILE, HEIC_SIZE, HEIC_TEXT } from '../factories/content/heic-file.js';
import { buildMessage } from '../factories/content/mail-messages.js';
import { buildTiffPictures, withOrientation } from '../factories/content/pictures.js';
import {
  type Place,
  addNoise,
  bilevel,
  buildMixedPdf,
  photo,
  scan,
  turn,
} from '../factories/content/scans.js';
import { TestExtraction, extractionOf } from '../support/extraction.js';

jest.setTimeout(600_000);

const LINES = ['Bescheid über die Größe der Fläche', 'The fire station opens tomorrow'];
const TEXT = LINES.join('\n');
const PAGE = { width: 1240, height: 900 };
const LETTER = 'Anschreiben mit Text';
/** A third of the page. */
const LARGE: Place = { x: 50, y: 300, width: 500, height: 161 };

describe('OCR with tesseract', () => {
  let extraction: TestExtraction;
  beforeAll(async () => {
    extraction = await TestExtraction.start({ ocr: 'deu+eng', limits: { timeMs: 600_000 } });
  });
  afterAll(() => extraction.stop());

  describe('of a turned page', () => {
    it.each([90, 180, 270])('reads an image turned by %i degrees', async (degrees) => {
      const bytes = turn(scan(LINES), degrees).encodeSync('png');
      expect(await extraction.extract(bytes)).toMatchObject({ text: TEXT, recognisedPages: [1] });
    });

    it('reads a page of a PDF that is upside down', async () => {
      const place = { x: 0, y: 0, width: 595, height: 192 };
      const bytes = buildMixedPdf([], [{ canvas: turn(scan(LINES), 180), place }]);
      expect(await extraction.extract(bytes)).toMatchObject({ text: TEXT, recognisedPages: [1] });
    });

    it('reads each page of a TIFF in its own orientation', async () => {
      const pages = [scan(LINES), turn(scan(LINES), 180)].map(bilevel);
      const { text, recognisedPages } = await extraction.extract(buildTiffPictures(pages));
      expect([text, recognisedPages]).toEqual([`${TEXT}\f${TEXT}`, [1, 2]]);
    });

    it.each([
      [3, 180],
      [6, 270],
      [8, 90],
    ])('applies the EXIF orientation %i of a photo', async (orientation, degrees) => {
      const jpeg = turn(scan(LINES), degrees).encodeSync('jpeg', 90);
      expect((await extraction.extract(withOrientation(jpeg, orientation))).text).toBe(TEXT);
    });
  });

  describe('of an uncertain page', () => {
    it('reads a noisy one without the specks that look like characters', async () => {
      const noisy = addNoise(scan([...LINES, ...LINES, ...LINES], PAGE), 150);
      const { text } = await extraction.extract(noisy.encodeSync('png'));
      for (const word of ['Bescheid', 'Größe', 'Fläche', 'station', 'tomorrow'])
        expect(text?.split(word).length).toBeGreaterThan(2);
    });

    it.each([
      ['an illegible one', () => addNoise(scan(LINES), 300)],
      ['a photo without text', () => photo(1200, 900)],
      ['an empty one', () => scan([])],
    ])('returns no text for %s', async (_, build) => {
      expect(await extraction.extract(build().encodeSync('png'))).toMatchObject({
        text: null,
        recognisedPages: [],
        failure: null,
      });
    });
  });

  describe('of images on pages with text', () => {
    const read = async (...args: Parameters<typeof buildMixedPdf>) => {
      const { text, recognisedPages } = await extraction.extract(buildMixedPdf(...args));
      return { text, recognisedPages };
    };

    it('adds the text of a large image to that of the page', async () => {
      expect(await read([LETTER], [{ canvas: scan(LINES), place: LARGE }])).toEqual({
        text: `${LETTER}\n\n${TEXT}`,
        recognisedPages: [1],
      });
    });

    it('turns it if it is upside down', async () => {
      const { text } = await read([LETTER], [{ canvas: turn(scan(LINES), 180), place: LARGE }]);
      expect(text).toBe(`${LETTER}\n\n${TEXT}`);
    });

    it.each([
      ['4 strips', 4, false],
      // pdf.js paints 10 and more masks by one operator.
      ['10 strips that are masks', 10, true],
    ])('reads %s as one image', async (_, count, isMask) => {
      const whole = scan(LINES);
      const [pixels, points] = [400 / count, 160 / count];
      const strips = Array.from({ length: count }, (__, index) => {
        const canvas = scan([], { width: whole.width, height: pixels });
        canvas.getContext('2d').drawImage(whole, 0, -pixels * index);
        return {
          canvas,
          place: { x: 50, y: 460 - points * (index + 1), width: 500, height: points },
          isMask,
        };
      });
      expect((await read([LETTER], strips)).text?.split(/\n+/)).toEqual([LETTER, ...LINES]);
    });

    // pdf.js paints 3 and more equal images, and 10 and more equal masks, by one operator.
    it.each([
      ['an image', 3, false],
      ['a mask', 10, true],
    ])('reads %s that is repeated', async (_, count, isMask) => {
      const canvas = scan(LINES);
      const images = Array.from({ length: count }, (__, index) => {
        const y = 560 - 200 * Math.min(index, 2);
        return { canvas, place: { ...LARGE, y }, isMask };
      });
      const { text } = await read([LETTER], images);
      expect(text).toBe([LETTER, TEXT, TEXT, TEXT].join('\n\n'));
    });

    it('does not read small images such as logos', async () => {
      const place = { x: 50, y: 300, width: 150, height: 48 };
      expect(await read([LETTER], [{ canvas: scan(LINES), place }])).toEqual({
        text: LETTER,
        recognisedPages: [],
      });
    });

    it('does not read a scan again whose text is in the file', async () => {
      const hidden = Array.from({ length: 6 }, (_, index) => `Erkannte Zeile ${index} des Bescheids`);
      const place = { x: 0, y: 0, width: 595, height: 842 };
      const result = await read(hidden, [{ canvas: scan(LINES, PAGE), place }], { isInvisible: true });
      expect(result).toEqual({ text: hidden.join('\n'), recognisedPages: [] });
    });

    it('reads a scan with a short line of text above it', async () => {
      const place = { x: 0, y: 0, width: 595, height: 842 };
      const canvas = scan(['', '', '', ...LINES], { width: 1240, height: 1754 });
      const { text } = await read(['Seite 1 von 3'], [{ canvas, place }]);
      expect(text).toMatch(/^Seite 1 von 3\n\n/);
      expect(text).toContain(TEXT);
    });
  });

  it('reads HEIC', async () => {
    expect(await extraction.extract(HEIC_FILE)).toEqual(
      extractionOf({
        mediaType: 'image/heic',
        image: HEIC_SIZE,
        text: HEIC_TEXT,
        recognisedPages: [1],
      }),
    );
  });

  it('reads AVIF', async () => {
    const bytes = scan(LINES).encodeSync('avif');
    expect(await extraction.extract(bytes)).toMatchObject({ mediaType: 'image/avif', text: TEXT });
  });

  it('reads a scan that is attached to a message', async () => {
    const content = turn(scan(LINES), 180).encodeSync('png');
    const parts = [
      { type: 'text/plain', content: 'Anbei der Bescheid' },
      { type: 'image/png', name: 'scan.png', content },
    ];
    const { text, recognisedPages } = await extraction.extract(buildMessage({ subject: 'Scan', parts }));
    expect(text).toContain('Anbei der Bescheid');
    expect(text).toContain(TEXT);
    expect(recognisedPages).toEqual([1]);
  });
});
