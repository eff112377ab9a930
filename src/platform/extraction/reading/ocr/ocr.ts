import { type Canvas } from '@napi-rs/canvas';
import { type PDFPageProxy } from 'pdfjs-dist';
import { type ExtractionLimits } from '../../extraction-limits.js';
import { decodeImage, decodeTiffPage } from '../pictures/decode-image.js';
import { type Picture, release, whiteCanvas } from '../pictures/picture.js';
import { BufferSource, type Source } from '../source.js';
import { onePageOfTiff } from '../image.js';
import { MAX_PIXELS, cropped, drawn, grey, shrinkImages, turned } from './page-image.js';
import { findImages } from './painted-images.js';
import {
  type RecognisedPage,
  TesseractRun,
  betterOf,
  isLegible,
  isProbablyUpright,
  legibleText,
} from './tesseract-run.js';

/** Resolution for which tesseract is trained. */
const DOTS_PER_INCH = 300;
const POINTS_PER_INCH = 72;
/** Share of the time limit that OCR may use. Then tesseract is stopped; the rest of the time is for other work. */
const TIME_SHARE = 0.7;
const UPSIDE_DOWN = 180;
const NOTHING: RecognisedPage = { text: '', confidence: null };
/** Formats that tesseract cannot read itself. */
const TO_DECODE = /^image\/(?:hei[cf]|avif)$/;

/** Recognises text with the installed tesseract during the first part of the time limit (see TIME_SHARE). */
export class Ocr {
  readonly tesseract: TesseractRun;

  constructor(languages: string, { timeMs, memory }: ExtractionLimits) {
    this.tesseract = new TesseractRun(languages, memory, Date.now() + timeMs * TIME_SHARE);
  }

  /** Reads a page of a PDF that has no text. */
  async readPage(page: PDFPageProxy): Promise<string> {
    const { canvas, dotsPerInch } = await render(page);
    const read = await this.#readCanvas(canvas, dotsPerInch);
    release(canvas);
    return legibleText(read);
  }

  /** Reads the large images on a page of a PDF that also has text. Null if it has none. */
  async readImages(page: PDFPageProxy): Promise<string | null> {
    const regions = await findImages(page, this.tesseract.remainingMs);
    if (regions.length === 0) return null;
    // Drawing decodes the images again.
    page.cleanup();
    const { canvas, dotsPerInch, scale } = await render(page);
    const texts: string[] = [];
    for (const region of regions) {
      const left = Math.max(0, Math.floor(region.left * scale));
      const top = Math.max(0, Math.floor(region.top * scale));
      const width = Math.min(canvas.width - left, Math.ceil(region.width * scale));
      const height = Math.min(canvas.height - top, Math.ceil(region.height * scale));
      const part = await cropped(canvas, { left, top, width, height });
      texts.push(legibleText(await this.#readCanvas(part, dotsPerInch)));
      release(part);
    }
    release(canvas);
    return texts.filter((one) => one !== '').join('\n\n');
  }

  /** Yields the text of each page of an image file. Stops when the time is over. */
  async *readImage(mediaType: string, source: Source): AsyncGenerator<string> {
    if (mediaType !== 'image/tiff') {
      yield await this.#readPicture(source, () => decodeImage(mediaType, source), TO_DECODE.test(mediaType));
      return;
    }
    for (let number = 1; ; number += 1) {
      const page = await onePageOfTiff(source, number);
      if (!page || this.tesseract.isOver()) return;
      const text = await this.#readPicture(new BufferSource(page), () => decodeTiffPage(source, number));
      if (text === '' && this.tesseract.wasCutOff) return;
      yield text;
    }
  }

  /** @param mustDecode whether tesseract cannot read the format itself */
  async #readPicture(
    source: Source,
    decode: () => Promise<Picture | null>,
    mustDecode = false,
  ): Promise<string> {
    const decoded = async (): Promise<Picture | null> =>
      this.tesseract.isOver() ? null : decode().catch(() => null);
    if (mustDecode) {
      // Not in a variable, so that the picture is not in memory while its drawing is read.
      const canvas = await decoded().then((picture) => picture && drawn(picture));
      return canvas ? legibleText(await this.#readCanvas(canvas, null)) : '';
    }
    // The native decoder could crash on a damaged image. tesseract is another process, so it comes first.
    const [read = NOTHING] = await this.tesseract.read(await source.read(0, source.size), null);
    const picture = isProbablyUpright(read) ? null : await decoded();
    if (!picture) return legibleText(read);
    // tesseract ignores the orientation in the file, which the decoded picture has.
    const known = picture.isOriented ? null : read;
    return legibleText(betterOf(read, await this.#readCanvas(await drawn(picture), null, known)));
  }

  /**
   * Reads a page in the orientation in which it is legible. tesseract itself turns pages that lie on one side.
   *
   * @param known what tesseract has read on the upright page, if that is known
   */
  async #readCanvas(
    canvas: Canvas,
    dotsPerInch: number | null,
    known: RecognisedPage | null = null,
  ): Promise<RecognisedPage> {
    const image = grey(canvas);
    const read = known ?? (await this.tesseract.read(image, dotsPerInch))[0] ?? NOTHING;
    if (isProbablyUpright(read)) return read;
    const detected = await this.tesseract.turnOf(image);
    if (detected === 0 && isLegible(read)) return read;
    // The detection is often wrong for small print, so an illegible page is turned in any case.
    const turn = detected || UPSIDE_DOWN;
    const [other = null] = await this.tesseract.read(grey(await turned(canvas, turn)), dotsPerInch);
    return betterOf(read, other);
  }
}

async function render(page: PDFPageProxy): Promise<{ canvas: Canvas; scale: number; dotsPerInch: number }> {
  const size = page.getViewport({ scale: 1 });
  const scale = Math.min(DOTS_PER_INCH / POINTS_PER_INCH, Math.sqrt(MAX_PIXELS / (size.width * size.height)));
  const viewport = page.getViewport({ scale });
  const canvas = await whiteCanvas(Math.ceil(viewport.width), Math.ceil(viewport.height));
  shrinkImages(page);
  await page.render({ canvas, viewport }).promise;
  return { canvas, scale, dotsPerInch: Math.round(scale * POINTS_PER_INCH) };
}
