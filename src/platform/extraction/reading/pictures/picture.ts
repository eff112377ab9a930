import { readFile } from 'node:fs/promises';
import { type Canvas, type SKRSContext2D } from '@napi-rs/canvas';
import { ExtractionError } from '../extraction-error.js';

/** A decoded image, as displayed (orientation applied). */
export interface Picture {
  /** In pixels. */
  readonly width: number;
  readonly height: number;
  /** Whether the file says that the image must be turned or mirrored. */
  readonly isOriented: boolean;
  /** Draws the whole picture, scaled to this size, at the origin. */
  draw(context: SKRSContext2D, width: number, height: number): void;
}

/** Memory for one decoded image. With the program and the file, it stays below the limit of a process. */
const MAX_DECODED_BYTES = 340 * 1024 * 1024;

/**
 * Checks the size of an image before it is decoded.
 *
 * @param bytesPerPixel memory that decoding needs
 * @throws ExtractionError MemoryLimitExceeded
 */
export function checkPixels(width: number, height: number, bytesPerPixel: number): void {
  if (width * height * bytesPerPixel > MAX_DECODED_BYTES)
    throw new ExtractionError('MemoryLimitExceeded', `an image of ${width} by ${height} pixels`);
}

/** A white canvas; transparent parts of pictures are white. */
export async function whiteCanvas(width: number, height: number): Promise<Canvas> {
  const { createCanvas } = await loadCanvas();
  const canvas = createCanvas(width, height);
  const context = canvas.getContext('2d');
  context.fillStyle = 'white';
  context.fillRect(0, 0, width, height);
  return canvas;
}

/** Frees the pixels now, and not when the canvas is collected as garbage. */
export function release(canvas: Canvas): void {
  canvas.width = 1;
  canvas.height = 1;
}

type CanvasPackage = typeof import('@napi-rs/canvas');

/** Relative to the working folder, which is the folder of pdf.js. */
const FONT = 'standard_fonts/LiberationSans-Regular.ttf';
/** pdf.js names one of these families after each font that a file does not contain. */
const FAMILIES = ['sans-serif', 'serif', 'monospace'];

let loaded: Promise<CanvasPackage> | undefined;

/**
 * Loads the native package that draws. Adds a font for texts whose font is neither in the file nor a standard font: without
 * one, machines without fonts draw boxes, and others draw by their installed fonts.
 */
export function loadCanvas(): Promise<CanvasPackage> {
  loaded ??= load();
  return loaded;
}

async function load(): Promise<CanvasPackage> {
  const canvas = await import('@napi-rs/canvas');
  const font = await readFile(FONT);
  for (const family of FAMILIES) canvas.GlobalFonts.register(font, family);
  return canvas;
}

/** Number of rows that are copied at a time: copies of a whole photo need more memory than the photo. */
export const STRIP = 256;

/** Pixels as red, green, blue and alpha, one byte each. */
interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly rgba: Uint8Array;
}

/** A picture of pixels that a JavaScript library has decoded. */
export async function pictureOf(pixels: Pixels, orientation = 1): Promise<Picture> {
  const { ImageData, createCanvas } = await loadCanvas();
  const isTurned = orientation >= 5 && orientation <= 8;
  const [width, height] = isTurned ? [pixels.height, pixels.width] : [pixels.width, pixels.height];
  return {
    width,
    height,
    isOriented: orientation !== 1,
    draw(context, toWidth, toHeight) {
      const [w, h] = isTurned ? [toHeight, toWidth] : [toWidth, toHeight];
      const scaled = scaleDown(pixels, w, h);
      context.save();
      orient(context, orientation, toWidth, toHeight);
      for (let top = 0; top < scaled.height; top += STRIP) {
        const rows = Math.min(STRIP, scaled.height - top);
        const row = scaled.width * 4;
        const bytes = new Uint8ClampedArray(
          scaled.rgba.buffer,
          scaled.rgba.byteOffset + top * row,
          rows * row,
        );
        // A canvas of its own, because putImageData ignores transforms and replaces the background.
        const canvas = createCanvas(scaled.width, rows);
        canvas.getContext('2d').putImageData(new ImageData(bytes, scaled.width, rows), 0, 0);
        const scale = h / scaled.height;
        context.drawImage(canvas, 0, top * scale, w, rows * scale);
        release(canvas);
      }
      context.restore();
    },
  };
}

/** Maps the stored image to the displayed one, which has this size (TIFF 6.0, tag Orientation; the same in EXIF). */
function orient(context: SKRSContext2D, orientation: number, width: number, height: number): void {
  const transforms: Readonly<Record<number, readonly [number, number, number, number, number, number]>> = {
    2: [-1, 0, 0, 1, width, 0],
    3: [-1, 0, 0, -1, width, height],
    4: [1, 0, 0, -1, 0, height],
    5: [0, 1, 1, 0, 0, 0],
    6: [0, 1, -1, 0, width, 0],
    7: [0, -1, -1, 0, width, height],
    8: [0, -1, 1, 0, 0, height],
  };
  const transform = transforms[orientation];
  if (transform) context.transform(...transform);
}

/**
 * Scales by the mean of the pixels, so that thin lines of scans stay visible. Needs no copy of the whole picture.
 * Returns the pixels themselves if they would become larger.
 */
function scaleDown(pixels: Pixels, width: number, height: number): Pixels {
  const { rgba } = pixels;
  if (width >= pixels.width || height >= pixels.height) return pixels;
  const result = new Uint8Array(width * height * 4);
  const columns = edges(pixels.width, width);
  const rows = edges(pixels.height, height);
  let to = 0;
  for (let y = 0; y < height; y += 1) {
    const [top = 0, bottom = 0] = [rows[y], rows[y + 1]];
    for (let x = 0; x < width; x += 1) {
      const [left = 0, right = 0] = [columns[x], columns[x + 1]];
      let [red, green, blue, alpha] = [0, 0, 0, 0];
      for (let row = top; row < bottom; row += 1) {
        const end = (row * pixels.width + right) * 4;
        for (let at = (row * pixels.width + left) * 4; at < end; at += 4) {
          red += rgba[at] ?? 0;
          green += rgba[at + 1] ?? 0;
          blue += rgba[at + 2] ?? 0;
          alpha += rgba[at + 3] ?? 0;
        }
      }
      const count = (bottom - top) * (right - left);
      result[to] = red / count;
      result[to + 1] = green / count;
      result[to + 2] = blue / count;
      result[to + 3] = alpha / count;
      to += 4;
    }
  }
  return { width, height, rgba: result };
}

/** Divides `length` pixels into `count` parts; returns their bounds. */
function edges(length: number, count: number): number[] {
  return Array.from({ length: count + 1 }, (_, index) => Math.floor((index * length) / count));
}
