import { deflateSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { buildEncryptedPdf } from '../../factories/content/encrypted-pdf.js';
import {
  buildPdf,
  buildPdfFile,
  buildPdfOfStream,
  pageContent,
  pdfPage,
} from '../../factories/content/pdf-files.js';
import { SHARED_TEXT_LIMIT, TestExtraction } from '../../support/extraction.js';

const PDF = 'application/pdf';

describe('Reading a PDF', () => {
  let extraction: TestExtraction;
  beforeAll(async () => {
    extraction = await TestExtraction.shared();
  });

  it('returns page count and text', async () => {
    const bytes = buildPdf([['Bescheid über die Größe', 'der Fläche'], ['Zweite Seite'], []]);
    expect(await extraction.extract(bytes)).toEqual({
      mediaType: PDF,
      pageCount: 3,
      image: null,
      text: 'Bescheid über die Größe\nder Fläche\fZweite Seite\f',
      recognisedPages: [],
      failure: null,
    });
  });

  it('joins words hyphenated at a line end, and keeps other hyphens', async () => {
    const bytes = buildPdf([['Die Feuer-', 'wache', 'und das Bau-', 'und Umweltamt', 'Nord-', 'Süd']]);
    expect((await extraction.extract(bytes)).text).toBe(
      'Die Feuerwache\nund das Bau-\nund Umweltamt\nNord-\nSüd',
    );
  });

  it('returns the text of form fields and annotations', async () => {
    const bytes = buildPdfFile([
      { dictionary: '<</Type /Catalog /Pages 2 0 R /AcroForm <</Fields [6 0 R]>>>>' },
      { dictionary: '<</Type /Pages /Kids [4 0 R] /Count 1>>' },
      { dictionary: '<</Type /Font /Subtype /Type1 /BaseFont /Helvetica>>' },
      { dictionary: pdfPage(5).replace(/>>$/, ' /Annots [6 0 R 7 0 R]>>') },
      { dictionary: '<<>>', stream: pageContent(['Antrag']) },
      {
        dictionary:
          '<</Type /Annot /Subtype /Widget /FT /Tx /T (Name) /V (Erika Mustermann) /Rect [0 0 9 9] /P 4 0 R>>',
      },
      { dictionary: '<</Type /Annot /Subtype /Text /Contents (Bitte pruefen) /Rect [0 0 9 9]>>' },
    ]);
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
    expect(await extraction.extract(buildEncryptedPdf('geheim', ['x']))).toEqual({
      mediaType: PDF,
      pageCount: null,
      image: null,
      text: null,
      recognisedPages: [],
      failure: 'Encrypted',
    });
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
