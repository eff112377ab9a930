import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type ConversionRequest } from '../../src/platform/extraction/conversion/converter.js';
import { ConvertingExtractor } from '../../src/platform/extraction/conversion/converting-extractor.js';
import { findConverter } from '../../src/platform/extraction/conversion/find-converter.js';
import { LibreOffice } from '../../src/platform/extraction/conversion/libreoffice.js';
import { OfficePreviewer } from '../../src/platform/extraction/conversion/office-previewer.js';
import { type Extraction } from '../../src/platform/extraction/extractor.js';
import { type Preview } from '../../src/platform/extraction/previewer.js';
import {
  buildFlatOpenDocument,
  buildFlatPresentation,
  buildFlatSpreadsheet,
  buildFlatText,
} from '../factories/content/flat-open-document.js';
import { buildCompoundFile, buildDocx } from '../factories/content/office-files.js';
import { buildPicture } from '../factories/content/pictures.js';
import { TestExtraction } from '../support/extraction.js';
import { hasInk, shownIn } from '../support/pictures.js';
import { TestPreviews, previewOf } from '../support/previews.js';
import { QUIET, requestFor } from './conversions.js';

jest.setTimeout(600_000);

/** Limits of time that a busy machine does not exceed: this is about formats. */
const UNHURRIED = { timeMs: 300_000, contendedMs: 300_000, checkMs: 250 };
const WORDS = 'Versicherung der Größe nach';
const OOXML = 'application/vnd.openxmlformats-officedocument';

describe('Conversion with LibreOffice', () => {
  let converter: LibreOffice;
  let extraction: TestExtraction;
  let extractor: ConvertingExtractor;
  let previews: TestPreviews;
  let previewer: OfficePreviewer;
  let folder: string;
  const before = process.env.TMPDIR;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'converter-test-'));
    await chmod(folder, 0o755);
    process.env.TMPDIR = folder;
    const found = await findConverter({ converter: 'libreoffice', environment: 'test' }, process.env, QUIET);
    if (!found) throw new Error('No converter.');
    converter = found;
    extraction = await TestExtraction.start();
    extractor = new ConvertingExtractor(extraction.pool, converter);
    previews = new TestPreviews();
    previewer = new OfficePreviewer(previews.pool, converter, UNHURRIED);
  });
  afterAll(async () => {
    previews.stop();
    await extraction.stop();
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
    await rm(folder, { recursive: true });
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  async function convert(bytes: Buffer, options: Partial<ConversionRequest>) {
    return converter.convert(requestFor(bytes, options), buffer);
  }

  async function converted(bytes: Buffer, from: string, to: string): Promise<Buffer> {
    const { result, failure } = await convert(bytes, { from, to });
    if (failure) throw new Error(failure);
    return result;
  }

  async function extract(bytes: Buffer): Promise<Extraction> {
    const file = await extraction.write(bytes);
    return extractor.extract({
      path: file,
      owner: 'one',
      fileName: null,
      claimedType: 'application/octet-stream',
    });
  }

  let files = 0;
  function render(bytes: Buffer, mediaType: string, page = 1): Promise<Preview> {
    files += 1;
    return previewer.render(previewOf(bytes, { sha256: String(files), mediaType, page }));
  }

  describe('for the text', () => {
    it.each([
      ['doc', 'application/msword', () => buildFlatText(WORDS), 'fodt'],
      ['xls', 'application/vnd.ms-excel', () => buildFlatSpreadsheet('Betrag', WORDS), 'fods'],
      ['ppt', 'application/vnd.ms-powerpoint', () => buildFlatPresentation(WORDS), 'fodp'],
    ])('reads a %s', async (format, mediaType, build, from) => {
      const bytes = await converted(build(), from, format);
      const plain = await extraction.extract(bytes);
      expect(plain).toMatchObject({ mediaType, text: null, failure: 'ConverterMissing' });
      const found = await extract(bytes);
      expect(found).toMatchObject({ mediaType, failure: null });
      expect(found.text).toContain(WORDS);
    });

    it('reads other formats without the converter', async () => {
      const spy = jest.spyOn(converter, 'convert');
      expect((await extract(Buffer.from(WORDS))).text).toBe(WORDS);
      expect(spy).not.toHaveBeenCalled();
    });

    it('keeps the failure of an encrypted file', async () => {
      const bytes = buildCompoundFile(['WordDocument'], Buffer.from('eca5c1004700070400000001', 'hex'));
      expect(await extract(bytes)).toMatchObject({ mediaType: 'application/msword', failure: 'Encrypted' });
    });

    it('returns the failure of a damaged file', async () => {
      expect(await extract(buildCompoundFile(['WordDocument']))).toMatchObject({
        mediaType: 'application/msword',
        text: null,
        failure: 'Corrupted',
      });
    });
  });

  describe('for previews', () => {
    it.each([
      ['odt', 'application/vnd.oasis.opendocument.text', () => buildFlatText('eins', 'zwei'), 'fodt'],
      ['docx', `${OOXML}.wordprocessingml.document`, () => buildFlatText('eins', 'zwei'), 'fodt'],
      ['doc', 'application/msword', () => buildFlatText('eins', 'zwei'), 'fodt'],
      ['rtf', 'application/rtf', () => buildFlatText('eins', 'zwei'), 'fodt'],
      ['dotx', `${OOXML}.wordprocessingml.template`, () => buildFlatText('eins', 'zwei'), 'fodt'],
      [
        'ott',
        'application/vnd.oasis.opendocument.text-template',
        () => buildFlatText('eins', 'zwei'),
        'fodt',
      ],
      ['pptx', `${OOXML}.presentationml.presentation`, () => buildFlatPresentation('eins', 'zwei'), 'fodp'],
      ['ppsx', `${OOXML}.presentationml.slideshow`, () => buildFlatPresentation('eins', 'zwei'), 'fodp'],
    ])('renders each page of a %s', async (format, mediaType, build, from) => {
      const bytes = await converted(build(), from, format);
      for (const page of [1, 2]) {
        const { image, failure } = await render(bytes, mediaType, page);
        if (!image) throw new Error(`No picture of page ${page}: ${failure}`);
        expect((await shownIn(image)).width).toBe(400);
        expect(await hasInk(image)).toBe(true);
      }
      expect(await render(bytes, mediaType, 3)).toEqual({ image: null, failure: 'WithoutPage', pages: 2 });
    });

    it('renders a workbook', async () => {
      const bytes = await converted(buildFlatSpreadsheet(WORDS), 'fods', 'xlsx');
      const { image } = await render(bytes, `${OOXML}.spreadsheetml.sheet`);
      expect(image && (await hasInk(image))).toBe(true);
    });

    it('converts a file once for several pages, and again for another tenant', async () => {
      const spy = jest.spyOn(converter, 'convert').mockClear();
      const bytes = await converted(buildFlatText('eins', 'zwei'), 'fodt', 'docx');
      spy.mockClear();
      const file = { sha256: 'same', mediaType: `${OOXML}.wordprocessingml.document` };
      for (const [owner, page] of [
        ['one', 1],
        ['one', 2],
        ['two', 1],
      ] as const)
        await previewer.render(previewOf(bytes, { ...file, owner, page }));
      expect(spy).toHaveBeenCalledTimes(2);
    });

    it('returns the failure of a damaged file', async () => {
      expect(await render(buildDocx({ body: '<w:p>' }), `${OOXML}.wordprocessingml.document`)).toMatchObject({
        image: null,
        failure: 'Corrupted',
      });
    });

    it('returns a failure for a file that unpacks to more than the memory', async () => {
      const body = `<w:p><w:r><w:t>${'a'.repeat(400 * 1024 * 1024)}</w:t></w:r></w:p>`;
      const { failure } = await render(buildDocx({ body }), `${OOXML}.wordprocessingml.document`);
      expect(['Corrupted', 'MemoryLimitExceeded', 'TimeLimitExceeded']).toContain(failure);
    });

    it('renders other formats without the converter', async () => {
      const spy = jest.spyOn(converter, 'convert').mockClear();
      const { image } = await render(buildPicture('png', 400, 200), 'image/png');
      expect(image && (await shownIn(image))).toMatchObject({ width: 400, height: 200 });
      expect(spy).not.toHaveBeenCalled();
    });
  });

  it('does not read linked sections', async () => {
    const file = path.join(folder, 'linked');
    await writeFile(file, 'secret', { mode: 0o644 });
    const source = `<text:section-source xlink:type="simple" xlink:href="file://${file}"/>`;
    const body = `<text:p>${WORDS}</text:p><text:section text:name="linked">${source}<text:p/></text:section>`;
    // Without the sandbox, which hides the file: the profile forbids it, too.
    const { program } = converter;
    const { result } = await new LibreOffice(program, null).convert(
      requestFor(buildFlatOpenDocument({ kind: 'text', body }), { to: 'txt' }),
      text,
    );
    expect(result).toContain(WORDS);
    expect(result).not.toContain('secret');
  });

  it('does not accept a larger result than the limit', async () => {
    const result = await convert(buildFlatText(WORDS), { to: 'doc', maxBytes: 1000 });
    expect(result).toEqual({ result: null, failure: 'OutputLimitExceeded' });
  });

  it('throws the error of a file that cannot be opened', async () => {
    const open = () => Promise.reject(new Error('cannot be opened'));
    await expect(convert(Buffer.alloc(0), { open })).rejects.toThrow('cannot be opened');
  });

  it('leaves no files', async () => {
    expect((await readdir(folder)).filter((name) => name.startsWith('filing-'))).toEqual([]);
    expect(await readdir(extraction.folder)).toEqual(['content']);
  });
});
