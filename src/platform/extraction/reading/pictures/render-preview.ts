import { type Canvas } from '@napi-rs/canvas';
import {
  MAX_HEIGHT_RATIO,
  MAX_PREVIEW_BYTES,
  type Preview,
  type PreviewSize,
  hasPreview,
  isText,
} from '../../previewer.js';
import { decodeDetected } from '../decode-text.js';
import { ExtractionError, failureOf } from '../extraction-error.js';
import { contentOf, detectMediaType } from '../media-type.js';
import { openPdf } from '../pdf.js';
import { type Source } from '../source.js';
import { readTiff } from '../image.js';
import { decodeImage, decodeTiffPage } from './decode-image.js';
import { type Picture, whiteCanvas } from './picture.js';

/** The second quality is for pictures that are too large in the first one. */
const QUALITIES = [80, 45];

/** Text of more pixels per inch is legible: a letter of 11 points is not at 24, and is at 34 (docs/adr/0045). */
const MAX_ILLEGIBLE_PPI = 28;
/** Width of larger pages (posters, slides), in inches: their text is larger, too. The long side of A4. */
const MAX_WIDTH = 297 / 25.4;
/** Width of images, in inches: they can show a receipt, and the sizes that they state are those of no paper. */
const IMAGE_WIDTH = 80 / 25.4;

/** What was found before a failure. */
interface Found {
  pages: number | null;
}

interface RenderedPage {
  readonly canvas: Canvas;
  /** Width of the page in inches. */
  readonly pageWidth: number;
}

/**
 * Renders a page of a file as WebP.
 *
 * @throws SourceReadError or another error that was not caused by the file
 */
export async function renderPreview(
  source: Source,
  size: PreviewSize,
): Promise<{ preview: Preview; detail: string | null }> {
  const found: Found = { pages: null };
  try {
    // Only the bytes count: a name or claimed type must not choose a decoder.
    const hints = { fileName: null, claimedType: 'application/octet-stream' };
    const detected = await detectMediaType(source, hints);
    const { mediaType, encrypted } = detected;
    if (!hasPreview(mediaType))
      return { preview: { image: null, failure: 'Unsupported', mediaType, ...found }, detail: mediaType };
    if (encrypted) throw new ExtractionError('Encrypted', mediaType);
    const page = await render(mediaType, contentOf(source, detected), size, found);
    if (!page) return { preview: { image: null, failure: 'WithoutPage', ...found }, detail: null };
    const { canvas, pageWidth } = page;
    const isLegible = canvas.width / Math.min(pageWidth, MAX_WIDTH) > MAX_ILLEGIBLE_PPI;
    return { preview: { image: encode(canvas), failure: null, isLegible, ...found }, detail: null };
  } catch (error) {
    return { preview: { image: null, failure: failureOf(error), ...found }, detail: String(error) };
  }
}

/** Null if there is no such page. */
async function render(
  mediaType: string,
  source: Source,
  size: PreviewSize,
  found: Found,
): Promise<RenderedPage | null> {
  if (mediaType === 'application/pdf') return renderPdfPage(source, size, found);
  if (mediaType === 'image/tiff') {
    const picture = await decodeTiffPage(source, size.page);
    if (!picture) found.pages = (await readTiff(source)).pageCount;
    return picture && drawPicture(picture, size.width);
  }
  found.pages = 1;
  if (size.page > 1) return null;
  if (isText(mediaType)) return drawTextPage(source, size.width);
  return drawPicture(await decodeImage(mediaType, source), size.width);
}

async function drawPicture(picture: Picture, wanted: number): Promise<RenderedPage> {
  const width = Math.min(wanted, picture.width);
  const height = Math.max(1, Math.round((picture.height * width) / picture.width));
  const canvas = await whiteCanvas(width, Math.min(height, width * MAX_HEIGHT_RATIO));
  picture.draw(canvas.getContext('2d'), width, height);
  return { canvas, pageWidth: IMAGE_WIDTH };
}

async function renderPdfPage(
  source: Source,
  { page: number, width }: PreviewSize,
  found: Found,
): Promise<RenderedPage | null> {
  const document = await openPdf(source);
  try {
    found.pages = document.numPages;
    if (number > document.numPages) return null;
    const page = await document.getPage(number);
    const points = page.getViewport({ scale: 1 }).width;
    const viewport = page.getViewport({ scale: width / points });
    const height = Math.max(1, Math.round(viewport.height));
    const canvas = await whiteCanvas(width, Math.min(height, width * MAX_HEIGHT_RATIO));
    await page.render({ canvas, viewport }).promise;
    return { canvas, pageWidth: points / 72 };
  } finally {
    await document.loadingTask.destroy();
  }
}

function encode(canvas: Canvas): Buffer {
  for (const quality of QUALITIES) {
    // Synchronous: the asynchronous variant crashes if the canvas is collected as garbage meanwhile.
    const bytes = canvas.encodeSync('webp', quality);
    if (bytes.length <= MAX_PREVIEW_BYTES) return bytes;
  }
  throw new ExtractionError('OutputLimitExceeded', 'the picture is larger than the limit');
}

/** A page of A4, in points. */
const [WIDTH, HEIGHT] = [595, 842];
/** Margin of the page, and size and distance of its lines, in points. */
const [MARGIN, SIZE, LEADING] = [56, 11, 14];
const MAX_LINES = Math.floor((HEIGHT - 2 * MARGIN) / LEADING);
/** More than fit into a line, unless most of them are as narrow as an i. */
const MAX_LINE = 160;
/** Much more than fits on a page. */
const MAX_BYTES = 64 * 1024;

/** Draws the beginning of a text as the first page of a letter. */
async function drawTextPage(source: Source, width: number): Promise<RenderedPage> {
  const text = decodeDetected(await source.read(0, Math.min(source.size, MAX_BYTES)));
  const scale = width / WIDTH;
  const canvas = await whiteCanvas(width, Math.round(HEIGHT * scale));
  const context = canvas.getContext('2d');
  context.scale(scale, scale);
  context.fillStyle = 'black';
  context.font = `${SIZE}px sans-serif`;
  const fits = (line: string) => context.measureText(line).width <= WIDTH - 2 * MARGIN;
  let top = MARGIN + SIZE;
  for (const line of firstLines(text, fits)) {
    context.fillText(line, MARGIN, top);
    top += LEADING;
  }
  return { canvas, pageWidth: WIDTH / 72 };
}

function firstLines(text: string, fits: (line: string) => boolean): string[] {
  const lines: string[] = [];
  for (const paragraph of text.split(/\r\n|[\r\n\f\u2028\u2029]/, MAX_LINES)) {
    let rest = paragraph.replaceAll('\t', '    ');
    do {
      if (lines.length === MAX_LINES) return lines;
      const end = endOfLine(rest, fits);
      lines.push(rest.slice(0, end));
      rest = rest.slice(end).trimStart();
    } while (rest !== '');
  }
  return lines;
}

/** Where the first line of a paragraph ends: at a space, or within a word that is longer than the line. */
function endOfLine(text: string, fits: (line: string) => boolean): number {
  let end = Math.min(text.length, MAX_LINE);
  while (end > 1 && !fits(text.slice(0, end))) end -= 1;
  if (end === text.length) return end;
  const space = text.lastIndexOf(' ', end);
  return space > 0 ? space : end;
}
