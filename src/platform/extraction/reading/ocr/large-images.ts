import { type PDFPageProxy } from 'pdfjs-dist';
import { MAX_PIXELS } from './page-image.js';

/** An image as pdf.js has decoded it. */
interface DecodedImage {
  readonly data: Uint8ClampedArray;
  readonly width: number;
  readonly height: number;
  readonly kind: number;
}

/** The decoded objects of a page or of a document. */
interface Objects {
  resolve(id: string, object: unknown): void;
}

/** `ImageKind` of pdf.js: one bit for each pixel, white is 1; red, green and blue; the same with alpha. */
const [BILEVEL, RGB, RGBA] = [1, 2, 3];
const known = new WeakSet<object>();

/** Scales down large images when they are decoded. To draw them, pdf.js makes several copies with four bytes a pixel. */
export function shrinkImages({ objs, commonObjs }: PDFPageProxy): void {
  for (const objects of [objs, commonObjs] as unknown as Objects[]) {
    if (known.has(objects)) continue;
    known.add(objects);
    const resolve = objects.resolve.bind(objects);
    objects.resolve = (id, object) => resolve(id, isLarge(object) ? halved(object) : object);
  }
}

function isLarge(object: unknown): object is DecodedImage {
  const { data, width, height, kind } = (object ?? {}) as Partial<DecodedImage>;
  const isImage = data !== undefined && (kind === BILEVEL || kind === RGB || kind === RGBA);
  return isImage && (width ?? 0) * (height ?? 0) > MAX_PIXELS;
}

/** Half as wide and high: each pixel is the mean of four. */
function halved({ data, width, height, kind, ...others }: DecodedImage): DecodedImage {
  const isBilevel = kind === BILEVEL;
  const row = isBilevel ? Math.ceil(width / 8) : width * (kind === RGB ? 3 : 4);
  const colours = kind === RGBA ? 4 : 3;
  const value = (x: number, y: number, colour: number): number => {
    if (!isBilevel) return data[y * row + x * colours + colour] ?? 0;
    return ((data[y * row + (x >> 3)] ?? 0) >> (7 - (x & 7))) & 1 ? 255 : 0;
  };
  const [toWidth, toHeight] = [width >> 1, height >> 1];
  const result = new Uint8ClampedArray(toWidth * toHeight * colours);
  let to = 0;
  for (let y = 0; y < 2 * toHeight; y += 2)
    for (let x = 0; x < 2 * toWidth; x += 2)
      for (let colour = 0; colour < colours; colour += 1, to += 1)
        result[to] =
          (value(x, y, colour) +
            value(x + 1, y, colour) +
            value(x, y + 1, colour) +
            value(x + 1, y + 1, colour)) /
          4;
  return { ...others, data: result, width: toWidth, height: toHeight, kind: isBilevel ? RGB : kind };
}
