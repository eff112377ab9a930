import { readFile } from 'node:fs/promises';

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
