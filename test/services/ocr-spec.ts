import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { ConfigurationError } from '../../src/platform/config/configuration.js';
import { findOcr } from '../../src/platform/extraction/tesseract.js';
import { buildPdf } from '../factories/content/pdf-files.js';
import { SCAN, buildMixedPages, scan, turn } from '../factories/content/scans.js';
import { TestExtraction, extractionOf } from '../support/extraction.js';

jest.setTimeout(600_000);

const run = promisify(execFile);
const LANGUAGES = 'deu+eng';
/** A time limit for tests of other behaviour, longer than a slow machine needs. */
const LONG_LIMIT = { timeMs: 600_000 };

describe('OCR with tesseract', () => {
  let extraction: TestExtraction;
  beforeAll(async () => {
    extraction = await TestExtraction.start({ ocr: LANGUAGES, limits: LONG_LIMIT });
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
    const canvas = scan(['Bescheid über die Größe der Fläche']);
    const bytes = buildMixedPages([
      { lines: [], images: [{ canvas, place: { x: 0, y: 0, width: 595, height: 192 } }] },
      { lines: ['Seite mit Text'], images: [] },
    ]);
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

  it('uses the language data of TESSDATA_PREFIX at the start and for OCR, also without those for orientations', async () => {
    const listed = await run('tesseract', ['--list-langs']);
    const installed = /"(.+)"/.exec(listed.stdout + listed.stderr)?.[1] ?? '';
    const folder = await mkdtemp(path.join(tmpdir(), 'tessdata-'));
    // When the service runs as root, extraction processes run as another user.
    await chmod(folder, 0o755);
    const before = process.env.TESSDATA_PREFIX;
    let elsewhere: TestExtraction | undefined;
    try {
      await symlink(path.join(installed, 'deu.traineddata'), path.join(folder, 'elsewhere.traineddata'));
      process.env.TESSDATA_PREFIX = folder;
      const ocr = await findOcr({ ocr: 'tesseract', ocrLanguages: 'elsewhere' });
      elsewhere = await TestExtraction.start({ ocr, limits: LONG_LIMIT });
      const upright = scan(['Rechnung von heute']);
      // It has no data for detecting orientations.
      for (const canvas of [upright, turn(upright, 180)])
        expect((await elsewhere.extract(canvas.encodeSync('png'))).text).toBe('Rechnung von heute');
    } finally {
      if (before === undefined) delete process.env.TESSDATA_PREFIX;
      else process.env.TESSDATA_PREFIX = before;
      await elsewhere?.stop();
      await rm(folder, { recursive: true });
    }
  });

  it('fails at the start when tesseract or language data is missing', async () => {
    const find = (ocrLanguages: string, environment?: NodeJS.ProcessEnv) =>
      findOcr({ ocr: 'tesseract', ocrLanguages }, environment);
    await expect(find(LANGUAGES)).resolves.toBe(LANGUAGES);
    await expect(find('deu+tlh')).rejects.toThrow(
      new ConfigurationError(
        'The configuration cannot be used: tesseract has no data for tlh in OCR_LANGUAGES (Debian: install tesseract-ocr-<language>).',
      ),
    );
    await expect(find(LANGUAGES, { PATH: '/nowhere' })).rejects.toThrow(
      new ConfigurationError(
        'The configuration cannot be used: OCR is tesseract, but this program is not on the PATH.',
      ),
    );
  });
});
