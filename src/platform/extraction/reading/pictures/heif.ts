import { ExtractionError } from '../extraction-error.js';
import { readDimensions } from '../image.js';
import { type Source } from '../source.js';
import { type Picture, checkPixels } from './picture.js';
import { pictureOf } from './pixels.js';

/** Memory that libheif needs for a pixel, in bytes, as observed. */
const BYTES_PER_PIXEL = 14;

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
export async function decodeHeif(source: Source): Promise<Picture> {
  const stored = await readDimensions(source);
  checkPixels(stored.width, stored.height, BYTES_PER_PIXEL);
  const { HeifDecoder } = await loadLibHeif();
  const images = new HeifDecoder().decode(await source.read(0, source.size));
  const image = images.find((one) => one.is_primary()) ?? images[0];
  if (!image) throw new ExtractionError('Corrupted', 'a HEIF file without an image');
  const [width, height] = [image.get_width(), image.get_height()];
  checkPixels(width, height, BYTES_PER_PIXEL);
  const rgba = new Uint8ClampedArray(width * height * 4);
  const shown = await new Promise<object | null>((resolve) =>
    image.display({ data: rgba, width, height }, resolve),
  );
  for (const one of images) one.free();
  if (!shown) throw new ExtractionError('Corrupted', 'the HEIF image cannot be decoded');
  return pictureOf({ width, height, rgba: new Uint8Array(rgba.buffer) });
}
