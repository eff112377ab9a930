import { imageSize } from 'image-size';
import { type Extraction } from '../extractor.js';
import { ExtractionError } from './extraction-error.js';
import { type Source } from './source.js';

/** Bytes read to find the dimensions. Cameras may put large colour profiles and previews before them. */
const MAX_HEADER = 16 * 1024 * 1024;

const READABLE_TYPES = new Set([
  'image/jpeg',
  'image/png',
  'image/apng',
  'image/gif',
  'image/webp',
  'image/bmp',
  'image/heic',
  'image/heif',
  'image/avif',
  'image/jxl',
  'image/jp2',
  'image/jpx',
  'image/j2c',
  'image/x-icon',
  'image/vnd.adobe.photoshop',
]);

export function hasReadableDimensions(mediaType: string): boolean {
  return READABLE_TYPES.has(mediaType);
}

/** Width and height as stored, and the EXIF orientation (1 to 8). */
interface StoredImage {
  readonly width: number;
  readonly height: number;
  readonly orientation: number;
}

/** @throws ExtractionError Corrupted */
export async function readImageHeader(source: Source): Promise<StoredImage> {
  const head = await source.read(0, MAX_HEADER);
  try {
    const { width, height, orientation = 1 } = imageSize(head);
    return { width, height, orientation };
  } catch (error) {
    throw new ExtractionError('Corrupted', (error as Error).message);
  }
}

/**
 * Returns width and height as displayed: the EXIF orientations 5 to 8 swap them.
 *
 * @throws ExtractionError Corrupted
 */
export async function readDimensions(source: Source): Promise<NonNullable<Extraction['image']>> {
  const { width, height, orientation } = await readImageHeader(source);
  return orientedSize(width, height, orientation);
}

export function orientedSize(
  width: number,
  height: number,
  orientation: number | undefined,
): NonNullable<Extraction['image']> {
  const valid = (length: number): boolean => Number.isInteger(length) && length > 0 && length < 2 ** 31;
  if (!valid(width) || !valid(height)) throw new ExtractionError('Corrupted', `${width} by ${height} pixels`);
  return orientation !== undefined && orientation >= 5 && orientation <= 8
    ? { width: height, height: width }
    : { width, height };
}
