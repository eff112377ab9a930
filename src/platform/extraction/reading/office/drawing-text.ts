import { type TextOutput } from '../text-output.js';
import { parseXml } from '../xml-text.js';
import { ParagraphText } from './paragraph-text.js';
import { type ZipContainer } from './zip-container.js';

/** Runs (w:t, a:t), comments (p:text), and names of categories and series in charts (c:strCache, cx:lvl). */
const TEXTS = new Set(['t', 'text', 'strCache', 'lvl']);
/** Their parts of a line. */
const LINES = new Set(['text', 'pt']);
/**
 * Deleted text (tracked changes), field codes, alternative content for older programs (ECMA-376, part 3), and numbers in
 * charts.
 */
const SKIPPED = new Set(['delText', 'instrText', 'Fallback', 'numDim']);
/** Text boxes, and annotations of pronunciation. */
const ASIDES = new Set(['txbxContent', 'rt']);

/** Adds paragraphs and runs. They have the same local names in documents and drawings (w:p, w:t; a:p, a:t). */
export async function readDrawingText(zip: ZipContainer, part: string, output: TextOutput): Promise<void> {
  const paragraphs = new ParagraphText(output);
  let inText = 0;
  let skipped = 0;
  await parseXml(zip.read(part), {
    open(name) {
      if (SKIPPED.has(name)) skipped += 1;
      else if (TEXTS.has(name)) inText += 1;
      else if (skipped > 0) return;
      else if (name === 'p') paragraphs.openParagraph();
      else if (ASIDES.has(name)) paragraphs.openAside();
      else if (name === 'tab') paragraphs.add('\t');
      else if (name === 'br' || name === 'cr') paragraphs.add('\n');
      else if (name === 'noBreakHyphen') paragraphs.add('-');
    },
    text(text) {
      if (inText > 0 && skipped === 0) paragraphs.add(text);
    },
    close(name) {
      if (SKIPPED.has(name)) skipped -= 1;
      if (TEXTS.has(name)) inText -= 1;
      if (skipped > 0) return;
      if (name === 'p') paragraphs.closeParagraph();
      else if (ASIDES.has(name)) paragraphs.closeAside();
      else if (LINES.has(name)) paragraphs.add('\n');
    },
    get done() {
      return paragraphs.full;
    },
  });
}
