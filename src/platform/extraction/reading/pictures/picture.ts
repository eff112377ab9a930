import { type Canvas, type SKRSContext2D } from '@napi-rs/canvas';
import { ExtractionError } from '../extraction-error.js';
import { loadCanvas } from './canvas.js';

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
