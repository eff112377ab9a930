import { type IFD } from 'utif2';
import { ExtractionError } from '../extraction-error.js';
import { findTiffPage, onePageOfTiff, readDimensions, readImageHeader } from '../image.js';
import { type Source } from '../source.js';
import { type Picture, checkPixels, loadCanvas, pictureOf } from './picture.js';

/**
 * Memory that the decoders need for a pixel, in bytes, as observed. A pixel of a TIFF has 8 bits for each of four colours,
 * before and after its conversion.
 */
const BYTES_PER_PIXEL = { avif: 18, heif: 14, tiff: 8, others: 4 };
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
  checkPixels(page.width, page.height, Math.min(BYTES_PER_PIXEL.tiff, 4 + bits / 8));
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

interface HeifImage {
  get_width(): number;
  get_height(): number;
  is_primary(): boolean;
  /** Calls back with null after an error. */
  display(
    target: { data: Uint8ClampedArray; width: number; height: number },
    done: (shown: object | null) => void,
  ): void;
  free(): void;
}

interface LibHeif {
  HeifDecoder: new () => { decode(bytes: Uint8Array): HeifImage[] };
}

/** Loads libheif, compiled to WebAssembly: native code of the platform is not needed. */
export async function loadLibHeif(): Promise<LibHeif> {
  // Its types do not describe this interface.
  const name: string = 'libheif-js/wasm-bundle.js';
  const { default: library } = (await import(name)) as { default: LibHeif };
  return library;
}

/**
 * Decodes the primary image of a HEIC or HEIF file, with its rotation.
 *
 * @throws ExtractionError
 */
async function decodeHeif(source: Source): Promise<Picture> {
  const stored = await readDimensions(source);
  checkPixels(stored.width, stored.height, BYTES_PER_PIXEL.heif);
  const { HeifDecoder } = await loadLibHeif();
  const images = new HeifDecoder().decode(await source.read(0, source.size));
  const image = images.find((one) => one.is_primary()) ?? images[0];
  if (!image) throw new ExtractionError('Corrupted', 'a HEIF file without an image');
  const [width, height] = [image.get_width(), image.get_height()];
  checkPixels(width, height, BYTES_PER_PIXEL.heif);
  const rgba = new Uint8ClampedArray(width * height * 4);
  const shown = await new Promise<object | null>((resolve) =>
    image.display({ data: rgba, width, height }, resolve),
  );
  for (const one of images) one.free();
  if (!shown) throw new ExtractionError('Corrupted', 'the HEIF image cannot be decoded');
  return pictureOf({ width, height, rgba: new Uint8Array(rgba.buffer) });
}
