import { deflateSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { buildEncryptedPdf } from '../../factories/content/encrypted-pdf.js';
import {
  FIRST_OBJECT,
  GLYPH_WIDTH,
  buildPdf,
  buildPdfFile,
  buildPdfOfGlyphs,
  buildPdfOfStream,
  pageContent,
} from '../../factories/content/pdf-files.js';
import { extractionOf } from '../../support/extraction.js';
import { SHARED_TEXT_LIMIT, extraction } from '../../support/shared-extraction.js';

const PDF = 'application/pdf';

describe('Reading a PDF', () => {
  it('returns page count and text', async () => {
    const bytes = buildPdf([['Bescheid über die Größe', 'der Fläche'], ['Zweite Seite'], []]);
    expect(await extraction.extract(bytes)).toEqual(
      extractionOf({
        mediaType: PDF,
        pageCount: 3,
        text: 'Bescheid über die Größe\nder Fläche\fZweite Seite\f',
      }),
    );
  });

  it('joins words hyphenated at a line end, and keeps other hyphens', async () => {
    const bytes = buildPdf([['Die Feuer-', 'wache', 'und das Bau-', 'und Umweltamt', 'Nord-', 'Süd']]);
    expect((await extraction.extract(bytes)).text).toBe(
      'Die Feuerwache\nund das Bau-\nund Umweltamt\nNord-\nSüd',
    );
  });

  describe('with text in any order', () => {
    const textOf = async (runs: readonly (readonly [x: number, y: number, text: string])[]) =>
      (await extraction.extract(buildPdfOfGlyphs(runs.map(([x, y, text]) => ({ x, y, glyphs: [...text] })))))
        .text;
    /** The x coordinate after a text that begins at 50. */
    const after = (text: string) => 50 + text.length * GLYPH_WIDTH;

    it('separates a value from the label before it on the line', async () => {
      expect(
        await textOf([
          [300, 700, '31.12.2026'],
          [50, 700, 'Aktenzeichen'],
          [300, 686, 'Potsdam'],
          [50, 686, 'Ort'],
        ]),
      ).toBe('31.12.2026 Aktenzeichen\nPotsdam Ort');
    });

    it('separates text in several form objects by its position', async () => {
      const texts = ['120 20 Td (Lindenallee)', '50 20 Td (Erika)', '50 6 Td (Pots)', '73 6 Td (dam)'];
      const content = texts.map((_, index) => `/X${index} Do`).join(' ');
      const names = texts.map((_, index) => `/X${index} ${index + FIRST_OBJECT} 0 R`).join(' ');
      const bytes = buildPdfOfStream('<<>>', Buffer.from(content), {
        resources: `/XObject <<${names}>>`,
        objects: texts.map((text) => ({
          dictionary:
            '<</Type /XObject /Subtype /Form /BBox [0 0 595 842] /Resources <</Font <</F1 3 0 R>>>>>>',
          stream: Buffer.from(`BT /F1 12 Tf ${text} Tj ET`),
        })),
      });
      expect((await extraction.extract(bytes)).text).toBe('Lindenallee Erika\nPotsdam');
    });

    it('keeps a word whose letters are moved by kerning', async () => {
      expect(
        await textOf([
          [50, 700, 'Akten'],
          [after('Akten') - 3, 700, 'zeichen'],
          [50, 680, 'Vor'],
          [after('Vor') + 1, 680, 'gang'],
        ]),
      ).toBe('Aktenzeichen\nVorgang');
    });

    it('joins a raised number to its word, and separates other lines', async () => {
      expect(
        await textOf([
          [50, 700, '20 m'],
          [after('20 m'), 705, '2'],
          [after('20 m2'), 690, 'Flur'],
        ]),
      ).toBe('20 m2\nFlur');
    });

    it('joins words hyphenated at the end of a line that continues further left', async () => {
      expect(
        await textOf([
          [300, 700, 'Feuer-'],
          [50, 688, 'wache'],
        ]),
      ).toBe('Feuerwache');
    });

    it('separates overprinted text', async () => {
      expect(
        await textOf([
          [50, 700, 'Entwurf'],
          [50.3, 700, 'Entwurf'],
        ]),
      ).toBe('Entwurf Entwurf');
    });
  });

  it('returns the text of form fields and annotations', async () => {
    const bytes = buildPdfOfStream('<<>>', pageContent(['Antrag']), {
      catalog: '/AcroForm <</Fields [6 0 R]>>',
      page: '/Annots [6 0 R 7 0 R]',
      objects: [
        {
          dictionary:
            '<</Type /Annot /Subtype /Widget /FT /Tx /T (Name) /V (Erika Mustermann) /Rect [0 0 9 9] /P 4 0 R>>',
        },
        { dictionary: '<</Type /Annot /Subtype /Text /Contents (Bitte pruefen) /Rect [0 0 9 9]>>' },
      ],
    });
    const { text } = await extraction.extract(bytes);
    expect(text?.split('\n').sort()).toEqual(['Antrag', 'Bitte pruefen', 'Erika Mustermann']);
  });

  it('without text returns null without a failure', async () => {
    expect(await extraction.extract(buildPdf([[]]))).toMatchObject({
      pageCount: 1,
      text: null,
      failure: null,
    });
  });

  it('with a password ends with Encrypted', async () => {
    expect(await extraction.extract(buildEncryptedPdf('geheim', ['x']))).toEqual(
      extractionOf({ mediaType: PDF, failure: 'Encrypted' }),
    );
  });

  it('with an empty password returns the text', async () => {
    expect(await extraction.extract(buildEncryptedPdf('', ['Offen']))).toMatchObject({
      pageCount: 1,
      text: 'Offen',
      failure: null,
    });
  });

  it('skips damaged pages', async () => {
    const whole = buildPdf(Array.from({ length: 5 }, (_, index) => [`Seite ${index + 1}`]));
    const damaged = Buffer.from(whole);
    // Destroy the compressed content of one page.
    const content = whole.indexOf('\nstream\n', 900) + 8;
    damaged.fill(0x58, content, content + 10);
    const { text, failure, pageCount } = await extraction.extract(damaged);
    expect({ failure, pageCount }).toEqual({ failure: null, pageCount: 5 });
    expect(text?.match(/Seite/g)?.length).toBe(4);
  });

  it.each([
    ['that is truncated', buildPdf([['x']]).subarray(0, 60)],
    ['without pages', Buffer.from('%PDF-1.7\n1 0 obj\n<<>>\nendobj\ntrailer\n<</Root 1 0 R>>\n%%EOF')],
    ['without objects', Buffer.from(`%PDF-1.7\n${'x'.repeat(10_000)}`)],
  ])('%s ends with Corrupted', async (_, bytes) => {
    expect(await extraction.extract(bytes)).toMatchObject({
      mediaType: PDF,
      text: null,
      failure: 'Corrupted',
    });
  });

  it('with a cycle in its page tree ends with Corrupted', async () => {
    const bytes = buildPdfFile([
      { dictionary: '<</Type /Catalog /Pages 2 0 R>>' },
      { dictionary: '<</Type /Pages /Kids [3 0 R] /Count 1000000000>>' },
      { dictionary: '<</Type /Pages /Parent 2 0 R /Kids [2 0 R] /Count 1000000000>>' },
    ]);
    expect(await extraction.extract(bytes)).toMatchObject({
      mediaType: PDF,
      text: null,
      failure: 'Corrupted',
    });
  });

  it('truncates the text at the limit', async () => {
    const lines = Array.from({ length: 15_000 }, () => 'Immer wieder dieselben Worte in einer Zeile');
    // A tiny font, so that all text is inside the page: text outside is skipped.
    const content = pageContent(lines).toString('latin1').replace('12 Tf 14 TL', '0.01 Tf 0.01 TL');
    const bytes = buildPdfOfStream('<</Filter /FlateDecode>>', deflateSync(Buffer.from(content, 'latin1')));
    const { text, failure } = await extraction.extract(bytes);
    expect(failure).toBeNull();
    expect(text?.length).toBeGreaterThan(SHARED_TEXT_LIMIT - 10_000);
    expect(text?.length).toBeLessThanOrEqual(SHARED_TEXT_LIMIT);
  });
});
