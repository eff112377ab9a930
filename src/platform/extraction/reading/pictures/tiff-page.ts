import { type IFD } from 'utif2';
import { ExtractionError } from '../extraction-error.js';
import { type Source } from '../source.js';
import { findTiffPage, onePageOfTiff } from '../tiff.js';
import { type Picture, checkPixels } from './picture.js';
import { pictureOf } from './pixels.js';

/** A pixel with 8 bits for each of four colours, before and after its conversion. */
const BYTES_PER_PIXEL = 8;

/** Loads the decoder of TIFF pages. */
export async function loadUtif(): Promise<typeof import('utif2')> {
  return (await import('utif2')).default;
}

/**
 * Decodes a page of a TIFF. Null if the file has fewer pages.
 *
 * @throws ExtractionError
 */
export async function decodeTiffPage(source: Source, number: number): Promise<Picture | null> {
  const page = await findTiffPage(source, number);
  if (!page) return null;
  const bits = Math.max(1, page.bitsPerPixel);
  checkPixels(page.width, page.height, Math.min(BYTES_PER_PIXEL, 4 + bits / 8));
  const UTIF = await loadUtif();
  // The library reads all directories and all that they refer to, so it gets a file with this page only.
  const bytes = new Uint8Array((await onePageOfTiff(source, number)) ?? []);
  const decode = UTIF.decode as (bytes: ArrayBuffer, options: object) => IFD[];
  const [directory] = decode(bytes.buffer, { parseMN: false });
  if (!directory) throw new ExtractionError('Corrupted', 'the TIFF page cannot be read');
  UTIF.decodeImage(bytes.buffer, directory);
  const { width, height } = directory as { width?: number; height?: number };
  if (width !== page.width || height !== page.height)
    throw new ExtractionError('Corrupted', 'the TIFF page cannot be decoded');
  const rgba = UTIF.toRGBA8(directory);
  if (rgba.length < width * height * 4) throw new ExtractionError('Corrupted', 'the TIFF page is truncated');
  return pictureOf({ width, height, rgba }, page.orientation);
}
