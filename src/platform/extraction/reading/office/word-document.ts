import { matchPageCount } from '../page-count.js';
import { type TextOutput } from '../text-output.js';
import { parseXml } from '../xml-text.js';
import { type ZipContainer } from './zip-container.js';

/** Deleted text (tracked changes), field codes, and alternative content for older programs (ECMA-376, part 3). */
const SKIPPED = new Set(['delText', 'instrText', 'Fallback']);

/** Number of pages as stored by the program that wrote the file (docProps/app.xml). */
export async function wordPages(zip: ZipContainer): Promise<number | null> {
  return matchPageCount(await zip.text('docProps/app.xml'), /<(?:\w+:)?Pages>\s*(\d{1,9})\s*</);
}

/** Adds the text of an Office Open XML document (ECMA-376): the body, then headers, footers, notes and comments. */
export async function readWordDocument(zip: ZipContainer, output: TextOutput): Promise<void> {
  const parts = [
    ...zip.matching(/^word\/document\d*\.xml$/),
    ...zip.matching(/^word\/(?:header|footer)\d*\.xml$/),
    ...zip.matching(/^word\/(?:footnotes|endnotes|comments)\.xml$/),
  ];
  for (const part of parts) {
    if (output.full) return;
    await readDrawingText(zip, part, output);
    output.add('\n\n');
  }
}

/** Adds paragraphs and runs. They have the same local names in documents and drawings (w:p, w:t; a:p, a:t). */
export async function readDrawingText(zip: ZipContainer, part: string, output: TextOutput): Promise<void> {
  let inText = 0;
  let skipped = 0;
  await parseXml(zip.read(part), {
    open(name) {
      if (SKIPPED.has(name)) skipped += 1;
      else if (name === 't') inText += 1;
      else if (skipped > 0) return;
      else if (name === 'tab') output.add('\t');
      else if (name === 'br' || name === 'cr') output.add('\n');
      else if (name === 'noBreakHyphen') output.add('-');
    },
    text(text) {
      if (inText > 0 && skipped === 0) output.add(text);
    },
    close(name) {
      if (SKIPPED.has(name)) skipped -= 1;
      else if (name === 't') inText -= 1;
      else if (name === 'p') output.add('\n');
    },
    get done() {
      return output.full;
    },
  });
}
