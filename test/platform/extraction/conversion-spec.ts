import { readdir } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { supportedMimeTypes } from 'file-type';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type Conversion,
  type ConversionRequest,
  type Converter,
  type UseResult,
} from '../../../src/platform/extraction/conversion/converter.js';
import { ConvertingExtractor } from '../../../src/platform/extraction/conversion/converting-extractor.js';
import { officeFormat } from '../../../src/platform/extraction/conversion/office-formats.js';
import { OfficePreviewer } from '../../../src/platform/extraction/conversion/office-previewer.js';
import { ReadingFailed } from '../../../src/platform/extraction/extractor.js';
import { buildCompoundFile, buildDocx, paragraph } from '../../factories/content/office-files.js';
import { buildPdf } from '../../factories/content/pdf-files.js';
import { buildPicture } from '../../factories/content/pictures.js';
import { TestExtraction } from '../../support/extraction.js';
import { TestPreviews, previewOf } from '../../support/previews.js';

const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const DOC = buildCompoundFile(['WordDocument']);

/** Converts every file to the same result. */
class FixedConverter implements Converter {
  readonly requests: ConversionRequest[] = [];
  version = 'fixed 1';

  constructor(private readonly converted: Buffer | Error) {}

  async convert<T>(request: ConversionRequest, use: UseResult<T>): Promise<Conversion<T>> {
    this.requests.push(request);
    if (this.converted instanceof Error) throw this.converted;
    return { result: await use(Readable.from([this.converted])), failure: null };
  }
}

/** Converts until the signal is aborted. */
class EndlessConverter implements Converter {
  readonly version = 'endless';

  convert<T>(_: ConversionRequest, __: UseResult<T>, signal?: AbortSignal): Promise<Conversion<T>> {
    return new Promise((_resolve, reject) =>
      signal?.addEventListener('abort', () => reject(signal.reason as Error)),
    );
  }
}

describe('officeFormat', () => {
  it('has an extension for every Office type that is detected, except drawings', () => {
    const types = [...supportedMimeTypes].filter((type) =>
      /officedocument\.|opendocument\.(?!graphics)|macroenabled|^application\/rtf$/.test(type),
    );
    expect(types.length).toBeGreaterThan(15);
    expect(types.filter((type) => !officeFormat(type))).toEqual([]);
  });
});

describe('ConvertingExtractor', () => {
  let extraction: TestExtraction;
  beforeAll(async () => {
    extraction = await TestExtraction.start();
  });
  afterAll(() => extraction.stop());

  const extract = async (converter: Converter) =>
    new ConvertingExtractor(extraction.pool, converter).extract({
      path: await extraction.write(DOC),
      owner: 'one',
      fileName: null,
      claimedType: DOCX,
    });

  it('returns the text of the converted file with the media type of the file', async () => {
    const converter = new FixedConverter(buildDocx({ body: paragraph('Bescheid') }));
    expect(await extract(converter)).toMatchObject({
      mediaType: 'application/msword',
      text: 'Bescheid',
      failure: null,
    });
    expect(converter.requests).toMatchObject([{ from: 'doc', to: 'docx', size: DOC.length }]);
    expect(await readdir(extraction.folder)).toEqual(['content']);
  });

  it('rejects with the media type of the file when the conversion fails', async () => {
    const attempt = extract(new FixedConverter(new ReadingFailed('killed')));
    await expect(attempt).rejects.toThrow(ReadingFailed);
    await expect(attempt).rejects.toMatchObject({ metadata: { mediaType: 'application/msword' } });
  });
});

describe('OfficePreviewer', () => {
  let previews: TestPreviews;
  beforeAll(() => {
    previews = new TestPreviews();
  });
  afterAll(() => previews.stop());

  /** Renders a file whose stored media type is `claimed`. */
  async function render(bytes: Buffer, claimed: string) {
    const converter = new FixedConverter(buildPdf([['Bescheid']]));
    const previewer = new OfficePreviewer(previews.pool, converter);
    const preview = await previewer.render(previewOf(bytes, { mediaType: claimed }));
    return { preview, formats: converter.requests.map(({ from }) => from) };
  }

  it.each([
    [true, 'rejects with ReadingFailed if a conversion takes long while previews of other files wait'],
    [false, 'waits for a long conversion while no preview of another file waits'],
  ])('(others wait: %s) %s', async (othersWait) => {
    const controller = new AbortController();
    const converter = new EndlessConverter();
    const limits = { timeMs: 240_000, contendedMs: 20, checkMs: 5 };
    let asked = 0;
    const waiting = () => {
      asked += 1;
      if (asked === 3) controller.abort(new Error('ended by the test'));
      return othersWait;
    };
    const attempt = new OfficePreviewer(previews.pool, converter, limits).render(
      previewOf(DOC, { mediaType: DOCX, othersWait: waiting }),
      controller.signal,
    );
    await expect(attempt).rejects.toThrow(othersWait ? ReadingFailed : 'ended by the test');
    expect(asked).toBe(othersWait ? 1 : 3);
  });

  it('has another version with another version of the converter', () => {
    const converter = new FixedConverter(DOC);
    const previewer = new OfficePreviewer(previews.pool, converter);
    const before = previewer.version;
    converter.version = 'fixed 2';
    expect(previewer.version).not.toBe(before);
  });

  it.each([
    ['Office files', DOCX, 'ProgramMissing', 'Supported'],
    ['images', 'image/png', 'Supported', 'Supported'],
    ['texts', 'text/plain', 'Supported', 'Supported'],
    ['messages', 'message/rfc822', 'Unsupported', 'Unsupported'],
  ])('tells what %s need', async (_, mediaType, without, withConverter) => {
    expect(await previews.pool.supportFor(mediaType)).toBe(without);
    const previewer = new OfficePreviewer(previews.pool, new FixedConverter(DOC));
    expect(await previewer.supportFor(mediaType)).toBe(withConverter);
  });

  it('tells whether a file has to be converted', async () => {
    const previewer = new OfficePreviewer(previews.pool, new FixedConverter(buildPdf([['Bescheid']])));
    const file = previewOf(DOC, { mediaType: DOCX });
    const answers = () =>
      [file, { ...file, mediaType: 'image/png' }, { ...file, owner: 'two' }].map((one) =>
        previewer.converts(one),
      );
    expect(answers()).toEqual([true, false, true]);
    await previewer.render(file);
    expect(answers()).toEqual([false, false, true]);
    expect(previews.pool.converts()).toBe(false);
  });

  it('converts by the bytes, not by the stored media type', async () => {
    const { preview, formats } = await render(DOC, DOCX);
    expect(preview.image).not.toBeNull();
    expect(formats).toEqual(['doc']);
  });

  it('does not convert another file that claims to be an Office file', async () => {
    const { preview, formats } = await render(Buffer.from('<html><body>a</body></html>'), DOCX);
    expect(preview).toMatchObject({ image: null, failure: 'Unsupported' });
    expect(formats).toEqual([]);
  });

  it('renders an image that claims to be an Office file without the converter', async () => {
    const { preview, formats } = await render(buildPicture('png', 400, 200), DOCX);
    expect(preview.image).not.toBeNull();
    expect(formats).toEqual([]);
  });
});
