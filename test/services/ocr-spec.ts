import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { ConfigurationError } from '../../src/platform/config/configuration.js';
import { requireTesseract } from '../../src/platform/extraction/tesseract.js';
import { buildPdf, buildPdfFile, pageContent } from '../factories/content/pdf-files.js';
import { SCAN, scan } from '../factories/content/scans.js';
import { TestExtraction, extractionOf } from '../support/extraction.js';

jest.setTimeout(600_000);

const run = promisify(execFile);
const LANGUAGES = 'deu+eng';
/** A time limit for tests of other behaviour, longer than a slow machine needs. */
const LONG_LIMIT = { timeMs: 600_000 };

/** A PDF with one scanned page and one text page. */
function scannedPdf(lines: readonly string[], text: string): Buffer {
  const page = (content: number): string =>
    `<</Type /Page /Parent 2 0 R /MediaBox [0 0 595 192] /Contents ${content} 0 R /Resources <</XObject <</Im1 4 0 R>> /Font <</F1 3 0 R>>>>>>`;
  return buildPdfFile([
    { dictionary: '<</Type /Catalog /Pages 2 0 R>>' },
    { dictionary: '<</Type /Pages /Kids [5 0 R 7 0 R] /Count 2>>' },
    { dictionary: '<</Type /Font /Subtype /Type1 /BaseFont /Helvetica>>' },
    {
      dictionary: `<</Type /XObject /Subtype /Image /Width ${SCAN.width} /Height ${SCAN.height} /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /DCTDecode>>`,
      stream: scan(lines).encodeSync('jpeg', 90),
    },
    { dictionary: page(6) },
    { dictionary: '<<>>', stream: Buffer.from('q 595 0 0 192 0 0 cm /Im1 Do Q') },
    { dictionary: page(8) },
    {
      dictionary: '<<>>',
      stream: Buffer.from(pageContent([text]).toString('latin1').replace('780', '100'), 'latin1'),
    },
  ]);
}

describe('OCR with tesseract', () => {
  let extraction: TestExtraction;
  beforeAll(async () => {
    extraction = await TestExtraction.start({ ocr: { languages: LANGUAGES }, limits: LONG_LIMIT });
  });
  afterAll(() => extraction.stop());

  it.each(['png', 'jpeg', 'webp'] as const)(
    'reads German and English text in an image (%s)',
    async (format) => {
      const canvas = scan(['Bescheid über die Größe der Fläche', 'The fire station opens tomorrow']);
      const bytes = format === 'png' ? canvas.encodeSync(format) : canvas.encodeSync(format, 90);
      expect(await extraction.extract(bytes)).toEqual(
        extractionOf({
          mediaType: `image/${format}`,
          image: SCAN,
          text: 'Bescheid über die Größe der Fläche\nThe fire station opens tomorrow',
          recognisedPages: [1],
        }),
      );
    },
  );

  it('uses OCR for the pages of a PDF without text and extracts the text of the others', async () => {
    const bytes = scannedPdf(['Bescheid über die Größe der Fläche'], 'Seite mit Text');
    expect(await extraction.extract(bytes)).toEqual(
      extractionOf({
        mediaType: 'application/pdf',
        pageCount: 2,
        text: 'Bescheid über die Größe der Fläche\fSeite mit Text',
        recognisedPages: [1],
      }),
    );
  });

  it('returns no text and no failure for an empty image', async () => {
    expect(await extraction.extract(scan([]).encodeSync('png'))).toMatchObject({
      text: null,
      failure: null,
    });
    expect(await extraction.extract(buildPdf([[]]))).toMatchObject({ text: null, failure: null });
  });

  it('returns no text for an image that tesseract cannot read', async () => {
    const bytes = scan(['Text']).encodeSync('png').subarray(0, 5000);
    expect(await extraction.extract(bytes)).toMatchObject({ mediaType: 'image/png', failure: null });
    expect((await extraction.extract('weiter')).text).toBe('weiter');
  });

  it('returns the text read so far when the time limit ends', async () => {
    const lines = Array.from({ length: 6 }, (_, index) => `Zeile ${index} mit vielen Worten zum Lesen`);
    const page = scan(lines).encodeSync('jpeg', 90);
    // No machine reads all pages within the shortest limit. A slow machine that reads none gets a longer limit.
    const count = 400;
    const kids = Array.from({ length: count }, (_, index) => `${index + 5} 0 R`).join(' ');
    const bytes = buildPdfFile([
      { dictionary: '<</Type /Catalog /Pages 2 0 R>>' },
      { dictionary: `<</Type /Pages /Kids [${kids}] /Count ${count}>>` },
      {
        dictionary: `<</Type /XObject /Subtype /Image /Width ${SCAN.width} /Height ${SCAN.height} /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /DCTDecode>>`,
        stream: page,
      },
      { dictionary: '<<>>', stream: Buffer.from('q 595 0 0 192 0 0 cm /Im1 Do Q') },
      ...Array.from({ length: count }, () => ({
        dictionary:
          '<</Type /Page /Parent 2 0 R /MediaBox [0 0 595 192] /Contents 4 0 R /Resources <</XObject <</Im1 3 0 R>>>>>>',
      })),
    ]);
    const readWithin = async (timeMs: number) => {
      const short = await TestExtraction.start({ ocr: { languages: LANGUAGES }, limits: { timeMs } });
      try {
        const { text, failure, pageCount } = await short.extract(bytes);
        return { failure, pageCount, linesRead: text?.match(/vielen Worten zum Lesen/g)?.length ?? 0 };
      } finally {
        await short.stop();
      }
    };
    let outcome = await readWithin(15_000);
    for (const timeMs of [45_000, 135_000]) if (outcome.linesRead === 0) outcome = await readWithin(timeMs);
    expect(outcome).toEqual({ failure: null, pageCount: count, linesRead: expect.any(Number) });
    expect(outcome.linesRead).toBeGreaterThan(0);
    expect(outcome.linesRead).toBeLessThan(count * lines.length);
  });

  it('uses the language data of TESSDATA_PREFIX at the start and for OCR', async () => {
    const listed = await run('tesseract', ['--list-langs']);
    const installed = /"(.+)"/.exec(listed.stdout + listed.stderr)?.[1] ?? '';
    const folder = await mkdtemp(path.join(tmpdir(), 'tessdata-'));
    // When the service runs as root, extraction processes run as another user.
    await chmod(folder, 0o755);
    const before = process.env.TESSDATA_PREFIX;
    const settings = { languages: 'elsewhere' };
    let elsewhere: TestExtraction | undefined;
    try {
      await symlink(path.join(installed, 'deu.traineddata'), path.join(folder, 'elsewhere.traineddata'));
      process.env.TESSDATA_PREFIX = folder;
      await requireTesseract(settings);
      elsewhere = await TestExtraction.start({ ocr: settings, limits: LONG_LIMIT });
      const { text } = await elsewhere.extract(scan(['Rechnung von heute']).encodeSync('png'));
      expect(text).toBe('Rechnung von heute');
    } finally {
      if (before === undefined) delete process.env.TESSDATA_PREFIX;
      else process.env.TESSDATA_PREFIX = before;
      await elsewhere?.stop();
      await rm(folder, { recursive: true });
    }
  });

  it('fails at the start when tesseract or language data is missing', async () => {
    await expect(requireTesseract({ languages: LANGUAGES })).resolves.toBeUndefined();
    await expect(requireTesseract({ languages: 'deu+tlh' })).rejects.toThrow(
      new ConfigurationError(
        'The configuration cannot be used: tesseract has no data for tlh in OCR_LANGUAGES (Debian: install tesseract-ocr-<language>).',
      ),
    );
    await expect(requireTesseract({ languages: LANGUAGES }, { PATH: '/nowhere' })).rejects.toThrow(
      new ConfigurationError(
        'The configuration cannot be used: OCR is tesseract, but this program is not on the PATH.',
      ),
    );
  });
});
