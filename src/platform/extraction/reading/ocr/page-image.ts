import { type Canvas } from '@napi-rs/canvas';
import { loadCanvas } from '../pictures/canvas.js';
import { type Picture, whiteCanvas } from '../pictures/picture.js';
import { STRIP } from '../pictures/pixels.js';

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
