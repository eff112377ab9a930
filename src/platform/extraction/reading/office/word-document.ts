import { matchPageCount } from '../page-count.js';
import { type TextOutput } from '../text-output.js';
import { readDrawingText } from './drawing-text.js';
import { type ZipContainer } from './zip-container.js';

/** Number of pages as stored by the program that wrote the file (docProps/app.xml). */
export async function wordPages(zip: ZipContainer): Promise<number | null> {
  return matchPageCount(await zip.text('docProps/app.xml'), /<(?:\w+:)?Pages>\s*(\d{1,9})\s*</);
}

/**
 * Adds the text of an Office Open XML document (ECMA-376): the body, then headers, footers, notes, comments, charts and
 * SmartArt.
 */
export async function readWordDocument(zip: ZipContainer, output: TextOutput): Promise<void> {
  const parts = [
    ...zip.matching(/^word\/document\d*\.xml$/),
    ...zip.matching(/^word\/(?:header|footer)\d*\.xml$/),
    ...zip.matching(/^word\/(?:footnotes|endnotes|comments)\.xml$/),
    ...zip.matching(/^word\/(?:charts\/chart(?:Ex)?|diagrams\/data)\d*\.xml$/),
  ];
  for (const part of parts) {
    if (output.full) return;
    await readDrawingText(zip, part, output);
    output.add('\n\n');
  }
}
