import { type Canvas } from '@napi-rs/canvas';
import {
  MAX_HEIGHT_RATIO,
  MAX_PREVIEW_BYTES,
  type Preview,
  type PreviewSize,
  hasPreview,
} from '../../previewer.js';
import { ExtractionError } from '../extraction-error.js';
import { failureOf } from '../failure.js';
import { contentOf, detectMediaType } from '../media-type.js';
import { openPdf } from '../open-pdf.js';
import { type Source } from '../source.js';
import { decodeImage } from './decode-image.js';
import { type Picture, whiteCanvas } from './picture.js';
import { decodeTiffPage } from './tiff-page.js';

/** The second quality is for pictures that are too large in the first one. */
const QUALITIES = [80, 45];

/**
 * Renders a page of a file as WebP.
 *
 * @throws SourceReadError or another error that was not caused by the file
 */
export async function renderPreview(
  source: Source,
  size: PreviewSize,
): Promise<{ preview: Preview; detail: string | null }> {
  try {
    // Only the bytes count: a name or claimed type must not choose a decoder.
    const hints = { fileName: null, claimedType: 'application/octet-stream' };
    const detected = await detectMediaType(source, hints);
    const { mediaType, encrypted } = detected;
    if (!hasPreview(mediaType))
      return { preview: { image: null, failure: 'Unsupported', mediaType }, detail: mediaType };
    if (encrypted) throw new ExtractionError('Encrypted', mediaType);
    const canvas = await render(mediaType, contentOf(source, detected), size);
    if (!canvas) return { preview: { image: null, failure: 'WithoutPage' }, detail: null };
    return { preview: { image: encode(canvas), failure: null }, detail: null };
  } catch (error) {
    return { preview: { image: null, failure: failureOf(error) }, detail: String(error) };
  }
}

/** Null if there is no such page. */
async function render(mediaType: string, source: Source, size: PreviewSize): Promise<Canvas | null> {
  if (mediaType === 'application/pdf') return renderPdfPage(source, size);
  const picture = await decode(mediaType, source, size.page);
  return picture ? drawPicture(picture, size.width) : null;
}

async function decode(mediaType: string, source: Source, page: number): Promise<Picture | null> {
  if (mediaType === 'image/tiff') return decodeTiffPage(source, page);
  return page === 1 ? decodeImage(mediaType, source) : null;
}

async function drawPicture(picture: Picture, wanted: number): Promise<Canvas> {
  const width = Math.min(wanted, picture.width);
  const height = Math.max(1, Math.round((picture.height * width) / picture.width));
  const canvas = await whiteCanvas(width, Math.min(height, width * MAX_HEIGHT_RATIO));
  picture.draw(canvas.getContext('2d'), width, height);
  return canvas;
}

async function renderPdfPage(source: Source, { page: number, width }: PreviewSize): Promise<Canvas | null> {
  const document = await openPdf(source);
  try {
    if (number > document.numPages) return null;
    const page = await document.getPage(number);
    const viewport = page.getViewport({ scale: width / page.getViewport({ scale: 1 }).width });
    const height = Math.max(1, Math.round(viewport.height));
    const canvas = await whiteCanvas(width, Math.min(height, width * MAX_HEIGHT_RATIO));
    await page.render({ canvas, viewport }).promise;
    return canvas;
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
