import { type Canvas } from '@napi-rs/canvas';
import { type PDFPageProxy } from 'pdfjs-dist';
import { type Picture, STRIP, loadCanvas, whiteCanvas } from '../pictures/picture.js';

/** A4 at 300 dpi has 8.7 million pixels. Larger pages are drawn at a lower resolution. */
export const MAX_PIXELS = 20_000_000;

/** Larger images in PDF files need more memory than a process has. A4 at 600 dpi has 34.8 million pixels. */
export const MAX_PDF_IMAGE = 35_000_000;

/** A part of a page, in pixels. */
export interface Region {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

export async function drawn(picture: Picture): Promise<Canvas> {
  const scale = Math.min(1, Math.sqrt(MAX_PIXELS / (picture.width * picture.height)));
  const [width, height] = [picture.width, picture.height].map((length) =>
    Math.max(1, Math.floor(length * scale)),
  );
  const canvas = await whiteCanvas(width ?? 1, height ?? 1);
  picture.draw(canvas.getContext('2d'), canvas.width, canvas.height);
  return canvas;
}

/** @param degrees clockwise: 90, 180 or 270 */
export async function turned(canvas: Canvas, degrees: number): Promise<Canvas> {
  const { createCanvas } = await loadCanvas();
  const isSideways = degrees % 180 !== 0;
  const [width, height] = isSideways ? [canvas.height, canvas.width] : [canvas.width, canvas.height];
  const result = createCanvas(width, height);
  const context = result.getContext('2d');
  context.translate(width / 2, height / 2);
  context.rotate((degrees * Math.PI) / 180);
  context.drawImage(canvas, -canvas.width / 2, -canvas.height / 2);
  return result;
}

export async function cropped(canvas: Canvas, { left, top, width, height }: Region): Promise<Canvas> {
  const { createCanvas } = await loadCanvas();
  const result = createCanvas(width, height);
  result.getContext('2d').drawImage(canvas, left, top, width, height, 0, 0, width, height);
  return result;
}

/** A grey PGM file: needs no compression here and in tesseract. */
export function grey(canvas: Canvas): Buffer {
  const { width, height } = canvas;
  const context = canvas.getContext('2d');
  const header = Buffer.from(`P5 ${width} ${height} 255\n`, 'latin1');
  const file = Buffer.alloc(header.length + width * height);
  header.copy(file);
  let to = header.length;
  for (let top = 0; top < height; top += STRIP) {
    const { data } = context.getImageData(0, top, width, Math.min(STRIP, height - top));
    for (let from = 0; from < data.length; from += 4, to += 1)
      file[to] = ((data[from] ?? 0) * 77 + (data[from + 1] ?? 0) * 151 + (data[from + 2] ?? 0) * 28) >> 8;
  }
  return file;
}

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
