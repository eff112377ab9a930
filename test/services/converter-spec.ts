import { chmod, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { ConfigurationError } from '../../src/platform/config/configuration.js';
import { type Converter } from '../../src/platform/extraction/conversion/converter.js';
import { ConvertingExtractor } from '../../src/platform/extraction/conversion/converting-extractor.js';
import { findConverter } from '../../src/platform/extraction/conversion/find-converter.js';
import { OfficePreviewer } from '../../src/platform/extraction/conversion/office-previewer.js';
import { type Extraction } from '../../src/platform/extraction/extractor.js';
import { NO_ISOLATION } from '../../src/platform/extraction/isolation.js';
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
import { TestPreviews } from '../support/previews.js';

jest.setTimeout(600_000);

const TIME_MS = 240_000;
const MAX_BYTES = 64 * 1024 * 1024;
const WORDS = 'Versicherung der Größe nach';
const OOXML = 'application/vnd.openxmlformats-officedocument';

const linkedPicture = (address: string) =>
  `<draw:frame text:anchor-type="as-char" svg:width="15cm" svg:height="20cm"><draw:image xlink:type="simple" xlink:href="${address}"/></draw:frame>`;

describe('Conversion with LibreOffice', () => {
  let converter: Converter;
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
    const found = await findConverter(
      { converter: 'libreoffice', environment: 'test' },
      process.env,
      () => undefined,
    );
    if (!found) throw new Error('No converter.');
    converter = found;
    extraction = await TestExtraction.start();
    extractor = new ConvertingExtractor(extraction.pool, converter);
    previews = new TestPreviews();
    previewer = new OfficePreviewer(previews.pool, converter);
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

  /** Writes a file that the user of the program may read. */
  async function withFile(content: string | Buffer, use: (file: string) => Promise<void>): Promise<void> {
    const file = path.join(folder, 'linked');
    await writeFile(file, content, { mode: 0o644 });
    await use(file);
    await rm(file);
  }

  async function convert(
    bytes: Buffer,
    from: string,
    to: string,
    options: { timeMs?: number; maxBytes?: number } = {},
    signal?: AbortSignal,
  ) {
    const request = {
      open: () => Readable.from([bytes]),
      from,
      to,
      timeMs: TIME_MS,
      maxBytes: MAX_BYTES,
      ...options,
    };
    return converter.convert(request, (file) => readFile(file), signal);
  }

  async function converted(bytes: Buffer, from: string, to: string): Promise<Buffer> {
    const { result, failure } = await convert(bytes, from, to);
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
    const open = () => Promise.resolve(Readable.from([bytes]));
    files += 1;
    const file = { owner: 'one', sha256: String(files), mediaType, size: bytes.length, open };
    return previewer.render({ ...file, page, width: 400 });
  }

  describe('for the text', () => {
    it.each([
      ['doc', 'application/msword', () => buildFlatText(WORDS), 'fodt'],
      ['xls', 'application/vnd.ms-excel', () => buildFlatSpreadsheet('Betrag', WORDS), 'fods'],
      ['ppt', 'application/vnd.ms-powerpoint', () => buildFlatPresentation(WORDS), 'fodp'],
    ])('reads a %s', async (format, mediaType, build, from) => {
      const bytes = await converted(build(), from, format);
      const plain = await extraction.extract(bytes);
      expect(plain).toMatchObject({ mediaType, text: null, failure: null });
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
      ['pptx', `${OOXML}.presentationml.presentation`, () => buildFlatPresentation('eins', 'zwei'), 'fodp'],
    ])('renders each page of a %s', async (format, mediaType, build, from) => {
      const bytes = await converted(build(), from, format);
      for (const page of [1, 2]) {
        const { image } = await render(bytes, mediaType, page);
        if (!image) throw new Error(`No picture of page ${page}.`);
        expect((await shownIn(image)).width).toBe(400);
        expect(await hasInk(image)).toBe(true);
      }
      expect(await render(bytes, mediaType, 3)).toEqual({ image: null, failure: 'WithoutPage' });
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
      const open = () => Promise.resolve(Readable.from([bytes]));
      const file = {
        sha256: 'same',
        mediaType: `${OOXML}.wordprocessingml.document`,
        size: bytes.length,
        open,
      };
      for (const [owner, page] of [
        ['one', 1],
        ['one', 2],
        ['two', 1],
      ] as const)
        await previewer.render({ ...file, owner, page, width: 400 });
      expect(spy).toHaveBeenCalledTimes(2);
    });

    it('returns the failure of a damaged file', async () => {
      expect(
        await render(Buffer.from('PK\x03\x04damaged'), `${OOXML}.wordprocessingml.document`),
      ).toMatchObject({
        image: null,
        failure: 'Corrupted',
      });
    });

    it('returns a failure for a file that unpacks to more than the memory', async () => {
      const body = `<w:p><w:r><w:t>${'a'.repeat(400 * 1024 * 1024)}</w:t></w:r></w:p>`;
      const { failure } = await render(buildDocx({ body }), `${OOXML}.wordprocessingml.document`);
      expect(['Corrupted', 'TimeLimitExceeded']).toContain(failure);
    });

    it('renders other formats without the converter', async () => {
      const spy = jest.spyOn(converter, 'convert').mockClear();
      const { image } = await render(buildPicture('png', 400, 200), 'image/png');
      expect(image && (await shownIn(image))).toMatchObject({ width: 400, height: 200 });
      expect(spy).not.toHaveBeenCalled();
    });
  });

  describe('of a hostile file', () => {
    it('does not run macros', async () => {
      const macro = `<ooo:libraries><ooo:library-embedded ooo:name="Standard"><ooo:module ooo:name="Module1"><ooo:source-code>Sub Main
ThisComponent.Text.String = "changed"
End Sub</ooo:source-code></ooo:module></ooo:library-embedded></ooo:libraries>`;
      const event = `script:language="ooo:script" xlink:type="simple" xlink:href="vnd.sun.star.script:Standard.Module1.Main?language=Basic&amp;location=document"`;
      const bytes = buildFlatOpenDocument({
        kind: 'text',
        body: `<text:p>${WORDS}</text:p>`,
        scripts: `<office:script script:language="ooo:Basic">${macro}</office:script><office:event-listeners><script:event-listener script:event-name="dom:load" ${event}/></office:event-listeners>`,
      });
      expect((await converted(bytes, 'fodt', 'txt')).toString()).toContain(WORDS);
    });

    it('does not read other files', async () => {
      await withFile('secret', async (file) => {
        const source = `<text:section-source xlink:type="simple" xlink:href="file://${file}"/>`;
        const body = `<text:p>${WORDS}</text:p><text:section text:name="linked">${source}<text:p/></text:section>`;
        const text = await converted(buildFlatOpenDocument({ kind: 'text', body }), 'fodt', 'txt');
        expect(text.toString()).toContain(WORDS);
        expect(text.toString()).not.toContain('secret');
      });
    });

    it('does not read other files as pictures', async () => {
      await withFile(buildPicture('png', 400, 400), async (file) => {
        const body = `<text:p>${linkedPicture(`file://${file}`)}</text:p>`;
        const bytes = buildFlatOpenDocument({ kind: 'text', body });
        const { image } = await render(bytes, 'application/vnd.oasis.opendocument.text');
        expect((image && (await shownIn(image)))?.quarters).not.toContain('red');
        expect(image).not.toBeNull();
      });
    });

    it('does not connect to other machines', async () => {
      let requests = 0;
      const server = createServer((_, response) => {
        requests += 1;
        response.end('secret');
      });
      server.on('connection', () => (requests += 1));
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      try {
        const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/a`;
        const source = `<text:section-source xlink:type="simple" xlink:href="${address}.txt"/>`;
        const body = `<text:p>${linkedPicture(`${address}.png`)}</text:p><text:section text:name="linked">${source}<text:p/></text:section>`;
        await converted(buildFlatOpenDocument({ kind: 'text', body }), 'fodt', 'pdf');
        expect(requests).toBe(0);
      } finally {
        server.close();
      }
    });
  });

  describe('that does not succeed', () => {
    it('ends at the time limit', async () => {
      const result = await convert(buildFlatText(WORDS), 'fodt', 'doc', { timeMs: 1 });
      expect(result).toEqual({ result: null, failure: 'TimeLimitExceeded' });
    });

    it('ends when it is no longer needed', async () => {
      const controller = new AbortController();
      const bytes = buildFlatText(WORDS);
      const request = {
        open: () => {
          controller.abort(new Error('not needed'));
          return Readable.from([bytes]);
        },
        from: 'fodt',
        to: 'doc',
        timeMs: TIME_MS,
        maxBytes: MAX_BYTES,
      };
      await expect(converter.convert(request, () => Promise.resolve(), controller.signal)).rejects.toThrow(
        'not needed',
      );
    });

    it('does not accept a larger result than the limit', async () => {
      const result = await convert(buildFlatText(WORDS), 'fodt', 'doc', { maxBytes: 1000 });
      expect(result).toEqual({ result: null, failure: 'OutputLimitExceeded' });
    });

    it('throws the error of a file that cannot be opened', async () => {
      const open = () => Promise.reject(new Error('cannot be opened'));
      await expect(
        converter.convert({ open, from: 'fodt', to: 'doc', timeMs: TIME_MS, maxBytes: MAX_BYTES }, readFile),
      ).rejects.toThrow('cannot be opened');
    });

    it('leaves no files', async () => {
      expect((await readdir(folder)).filter((name) => name.startsWith('filing-conversion-'))).toEqual([]);
    });
  });
});

describe('Finding the converter', () => {
  const find = (environment: 'production' | 'test', variables: NodeJS.ProcessEnv, isolated = true) =>
    findConverter(
      { converter: 'libreoffice', environment },
      variables,
      () => undefined,
      ...(isolated ? [] : [() => Promise.resolve(NO_ISOLATION)]),
    );

  it('fails without the program', async () => {
    const attempt = find('test', { PATH: '/nonexistent' });
    await expect(attempt).rejects.toThrow(ConfigurationError);
    await expect(attempt).rejects.toThrow('soffice');
  });

  it('fails in production if the network cannot be taken away', async () => {
    const attempt = find('production', process.env, false);
    await expect(attempt).rejects.toThrow(ConfigurationError);
    await expect(attempt).rejects.toThrow('network');
  });

  it('finds it elsewhere without isolation', async () => {
    expect(await find('test', process.env, false)).not.toBeNull();
  });

  it('finds it in production with isolation', async () => {
    expect(await find('production', process.env)).not.toBeNull();
  });
});
