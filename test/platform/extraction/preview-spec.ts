import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { buildEncryptedPdf } from '../../factories/content/encrypted-pdf.js';
import { HEIC_FILE } from '../../factories/content/heic-file.js';
import { buildPng } from '../../factories/content/image-files.js';
import { buildMessage } from '../../factories/content/mail-messages.js';
import { buildPdf } from '../../factories/content/pdf-files.js';
import {
  buildBmpPicture,
  buildPicture,
  buildTiffPictures,
  group4Bits,
  quarterBits,
  withOrientation,
} from '../../factories/content/pictures.js';
import { pseudoRandomBytes } from '../../support/content-fixtures.js';
import { type Shown, hasInk, shownIn } from '../../support/pictures.js';
import { TestPreviews, previewOf } from '../../support/previews.js';

const MIB = 1024 * 1024;
const QUARTERS = ['red', 'white', 'white', 'blue'];
const withoutPage = (pages: number) => ({ image: null, failure: 'WithoutPage', pages });

describe('PreviewerPool', () => {
  let previews: TestPreviews;
  beforeAll(() => {
    previews = new TestPreviews();
  });
  afterAll(() => previews.stop());

  const shown = async (...args: Parameters<TestPreviews['picture']>): Promise<Shown> =>
    shownIn(await previews.picture(...args));

  describe('for an image', () => {
    it.each(['png', 'jpeg', 'webp', 'avif'] as const)('scales a %s to the width', async (format) => {
      expect(await shown(buildPicture(format, 1200, 600))).toEqual({
        width: 400,
        height: 200,
        quarters: QUARTERS,
      });
    });

    it('scales a HEIC to the width', async () => {
      const image = await previews.picture(HEIC_FILE, { width: 200 });
      expect(await shownIn(image)).toMatchObject({ width: 200, height: 38 });
      expect(await hasInk(image)).toBe(true);
    });

    it('scales a BMP to the width', async () => {
      const { height, quarters } = await shown(buildBmpPicture(500, 100));
      expect([height, quarters]).toEqual([80, ['red', 'red', 'blue', 'blue']]);
    });

    it('does not enlarge it', async () => {
      expect(await shown(buildPicture('png', 120, 60), { width: 1600 })).toMatchObject({
        width: 120,
        height: 60,
      });
    });

    it.each([
      [1, ['red', 'white', 'white', 'blue']],
      [2, ['white', 'red', 'blue', 'white']],
      [3, ['blue', 'white', 'white', 'red']],
      [4, ['white', 'blue', 'red', 'white']],
      [5, ['red', 'white', 'white', 'blue']],
      [6, ['white', 'red', 'blue', 'white']],
      [7, ['blue', 'white', 'white', 'red']],
      [8, ['white', 'blue', 'red', 'white']],
    ])('applies the EXIF orientation %i', async (orientation, quarters) => {
      const jpeg = buildPicture('jpeg', 200, 100);
      const [width, height] = orientation >= 5 ? [100, 200] : [200, 100];
      expect(await shown(withOrientation(jpeg, orientation))).toEqual({
        width,
        height,
        quarters,
      });
    });

    it('cuts off what is higher than four times the width', async () => {
      expect(await shown(buildPicture('png', 300, 3000), { width: 200 })).toEqual({
        width: 200,
        height: 800,
        quarters: ['red', 'white', 'red', 'white'],
      });
    });

    it.each([
      [1000, 200, true],
      [80, 400, false],
    ])('is legible unless it is tiny: %i pixels, requested %i', async (size, width, isLegible) => {
      const picture = buildPicture('png', size, size);
      expect(await previews.render(picture, { width })).toMatchObject({ isLegible });
    });

    it('has one page only', async () => {
      expect(await previews.render(buildPicture('png', 10, 10), { page: 2 })).toEqual(withoutPage(1));
    });
  });

  describe('for a text', () => {
    it.each([
      ['short', 'Sehr geehrte Damen und Herren,\n\nGrüße'],
      ['in another encoding', Buffer.from('Grüße '.repeat(40), 'latin1')],
      ['of long lines and words', `${'Wort '.repeat(5000)}\n${'i'.repeat(100_000)}`],
      ['of many lines', 'Zeile\r\n'.repeat(100_000)],
    ])('draws its beginning on A4: %s', async (_, text) => {
      const image = await previews.picture(text);
      expect(await shownIn(image)).toMatchObject({ width: 400, height: 566 });
      expect(await hasInk(image)).toBe(true);
    });

    it('breaks lines between words and at the margin, and ends at the bottom of the page', async () => {
      const wrapped = `${'Wort '.repeat(18)}\n${'Wort '.repeat(16)}`;
      const image = await previews.picture(wrapped);
      expect(await previews.picture('Wort '.repeat(34))).toEqual(image);
      const lines = 'Wort\n'.repeat(52);
      expect(await previews.picture(`${lines}Wort`)).toEqual(await previews.picture(lines));
    });

    it.each([
      [200, false],
      [400, true],
    ])('is legible above 200 pixels: %i', async (width, isLegible) => {
      expect(await previews.render('Text', { width })).toMatchObject({ isLegible, pages: 1 });
    });

    it('has one page', async () => {
      expect(await previews.render('Text\n'.repeat(500), { page: 2 })).toEqual(withoutPage(1));
    });
  });

  describe('for a TIFF', () => {
    const page = { width: 160, height: 80, bits: quarterBits(160, 80) };

    it('renders each page without thumbnails, and applies its orientation', async () => {
      const turned = { ...page, orientation: 6 };
      const bytes = buildTiffPictures([page, { ...page, isThumbnail: true }, turned]);
      expect(await shown(bytes)).toEqual({
        width: 160,
        height: 80,
        quarters: ['black', 'white', 'white', 'white'],
      });
      expect(await shown(bytes, { page: 2 })).toEqual({
        width: 80,
        height: 160,
        quarters: ['white', 'black', 'white', 'white'],
      });
      expect(await previews.render(bytes, { page: 3 })).toEqual(withoutPage(2));
    });

    it('decodes fax compression (CCITT group 4)', async () => {
      const bytes = buildTiffPictures([{ width: 16, height: 16, bits: group4Bits(16), group4: true }]);
      expect((await shown(bytes)).quarters).toEqual(['white', 'black', 'white', 'black']);
    });

    it('scales by the mean, so that thin lines stay visible', async () => {
      const width = 3200;
      // A line of one pixel in every eighth row.
      const line = (y: number): Buffer => Buffer.alloc(width / 8, y % 8 === 0 ? 0 : 0xff);
      const bits = Buffer.concat(Array.from({ length: 800 }, (_, y) => line(y)));
      const { quarters } = await shown(buildTiffPictures([{ width, height: 800, bits }]), { width: 200 });
      expect(quarters).toEqual(['white', 'white', 'white', 'white']);
    });

    it('ends with a failure for references in a circle', async () => {
      const bytes = buildTiffPictures([page, page], { circular: true });
      expect((await shown(bytes, { page: 2 })).width).toBe(160);
      expect(await previews.render(bytes, { page: 3 })).toEqual(withoutPage(2));
    });
  });

  describe('for a PDF', () => {
    it('renders each page black on white', async () => {
      const bytes = buildPdf([['Erste Seite'], []]);
      const image = await previews.picture(bytes, { width: 800 });
      expect(await shownIn(image)).toEqual({
        width: 800,
        height: 1132,
        quarters: ['white', 'white', 'white', 'white'],
      });
      expect(await hasInk(image)).toBe(true);
      expect(await hasInk(await previews.picture(bytes, { page: 2 }))).toBe(false);
      expect(await previews.render(bytes, { page: 3 })).toEqual(withoutPage(2));
    });

    it('tells the number of pages with a picture, and with a page that cannot be drawn', async () => {
      expect(await previews.render(buildPdf([['eins'], ['zwei']]))).toMatchObject({
        failure: null,
        pages: 2,
      });
      // The second page refers to an object that does not exist.
      const damaged = buildPdf([['eins'], ['zwei']])
        .toString('latin1')
        .replace('4 0 R 6 0 R', '4 0 R 9 0 R');
      expect(await previews.render(Buffer.from(damaged, 'latin1'), { page: 2 })).toMatchObject({
        image: null,
        pages: 2,
      });
    });

    it.each([
      ['a letter (A4)', [595, 842], 200, false],
      ['a letter (A4)', [595, 842], 400, true],
      ['a receipt 80 mm wide', [227, 567], 200, true],
      ['a card', [241, 153], 200, true],
      ['a slide', [960, 540], 200, false],
      ['a slide', [960, 540], 400, true],
      ['a slide of 1920 points', [1920, 1080], 400, true],
      ['a leaflet (A5)', [420, 595], 200, true],
    ] as const)(
      'tells whether the text of %s of %j points is legible in %i pixels: %s',
      async (_, box, width, isLegible) => {
        expect(await previews.render(buildPdf([['Text']], box), { width })).toMatchObject({ isLegible });
      },
    );

    it.each([
      ['Encrypted', buildEncryptedPdf('secret', ['Text'])],
      ['Corrupted', Buffer.from('%PDF-1.7 this is not one')],
    ])('ends with %s', async (failure, bytes) => {
      expect(await previews.render(bytes)).toEqual({ image: null, failure, pages: null });
    });
  });

  it.each([
    ['SVG', '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>'],
    ['SVG with a declaration', '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" width="9"/>'],
    ['HTML', '<!doctype html><p>Text'],
    ['a message', buildMessage({ subject: 'x', parts: [{ type: 'text/plain', content: 'Text' }] })],
  ])('never renders %s', async (_, bytes) => {
    expect(await previews.render(bytes)).toMatchObject({ image: null, failure: 'Unsupported' });
  });

  describe('for a hostile file', () => {
    it('does not decode an image with too many pixels', async () => {
      const bytes = buildPng(12_000, 12_000);
      expect(bytes.length).toBeLessThan(MIB);
      expect(await previews.render(bytes)).toEqual({
        image: null,
        failure: 'MemoryLimitExceeded',
        pages: 1,
      });
    });

    it.each([
      '%PDF-1.7\n',
      'II*\0\x08\0\0\0',
      'MM\0*\0\0\0\x08',
      '\x89PNG\r\n\x1a\n',
      '\xff\xd8\xff\xe0',
      'GIF89a',
      'RIFF\0\0\0\0WEBP',
      'BM',
      '\0\0\0\x18ftypheic\0\0\0\0mif1heic',
      '\0\0\0\x18ftypavif\0\0\0\0mif1avif',
    ])('of random bytes after the signature %j ends with a failure', async (start) => {
      const bytes = Buffer.concat([Buffer.from(start, 'latin1'), pseudoRandomBytes(30_000, 1)]);
      const { failure } = await previews.render(bytes);
      expect(['Corrupted', 'Encrypted', 'MemoryLimitExceeded', 'Unsupported']).toContain(failure);
    });
  });

  it('rejects a file of another size than announced', async () => {
    for (const text of ['long text', 'long'])
      await expect(previews.pool.render(previewOf(text, { size: 5 }))).rejects.toMatchObject({
        name: 'ReadingFailed',
      });
  });

  it('starts processes that may load native code, and may not read files or start programs', async () => {
    await previews.picture(buildPicture('png', 10, 10));
    const [pid = 0] = previews.pool.pids.idle;
    const allowed = (await readFile(`/proc/${pid}/cmdline`, 'latin1'))
      .split('\0')
      .filter((argument) => /^--(?:allow|.*permission)/.test(argument));
    expect(allowed.filter((argument) => !argument.startsWith('--allow-fs-read='))).toEqual([
      expect.stringMatching(/^--(?:experimental-)?permission$/),
      '--allow-addons',
    ]);
    expect(
      allowed.filter((read) => /fs-read/.test(read) && !/(?:node_modules\b.*|package\.json)$/.test(read)),
    ).toEqual([]);
    expect(await readFile(`/proc/${pid}/environ`, 'latin1')).toMatch(/^(?:PWD=[^\0]*\0)?$/);
  });
});
