import { ExtractionError } from '../extraction-error.js';
import { readImageHeader } from '../image.js';
import { type Source } from '../source.js';
import { loadCanvas } from './canvas.js';
import { decodeHeif } from './heif.js';
import { type Picture, checkPixels } from './picture.js';

/** Memory that the native decoders need for a pixel, in bytes, as observed. */
const BYTES_PER_PIXEL = { avif: 18, others: 4 };
const HEIF = /^image\/hei[cf]$/;

/**
 * Decodes an image other than TIFF. The dimensions in its header decide whether it is tried.
 *
 * @param mediaType as detected from the bytes: the native decoder would also draw SVG
 * @throws ExtractionError
 */
export async function decodeImage(mediaType: string, source: Source): Promise<Picture> {
  const { width, height, orientation } = await readImageHeader(source);
  if (HEIF.test(mediaType)) return decodeHeif(source);
  checkPixels(width, height, mediaType === 'image/avif' ? BYTES_PER_PIXEL.avif : BYTES_PER_PIXEL.others);
  const { Image } = await loadCanvas();
  const image = new Image();
  // Applies the orientation of EXIF.
  image.src = await source.read(0, source.size);
  try {
    await image.decode();
  } catch (error) {
    throw new ExtractionError('Corrupted', (error as Error).message);
  }
  if (!(image.width > 0 && image.height > 0)) throw new ExtractionError('Corrupted', 'an empty image');
  return {
    width: image.width,
    height: image.height,
    isOriented: orientation !== 1,
    draw(context, toWidth, toHeight) {
      context.imageSmoothingQuality = 'high';
      context.drawImage(image, 0, 0, toWidth, toHeight);
    },
  };
}
