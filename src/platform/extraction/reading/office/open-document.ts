import { ExtractionError } from '../extraction-error.js';
import { type TextOutput } from '../text-output.js';
import { parseXml } from '../markup.js';
import { ParagraphText } from './paragraph-text.js';
import { type ZipContainer } from './zip-container.js';

/**
 * Number of pages or slides in an OpenDocument file (ISO/IEC 26300), as stored by the program that wrote it; NaN if it is
 * not there.
 */
export async function openDocumentPages(zip: ZipContainer): Promise<number> {
  return Number(/\bmeta:page-count="(\d{1,9})"/.exec(await zip.text('meta.xml'))?.[1]);
}

/** @throws ExtractionError Encrypted, if the manifest lists encrypted parts (ISO/IEC 26300, part 2, 4.8) */
export async function checkEncryption(zip: ZipContainer): Promise<void> {
  const manifest = await zip.text('META-INF/manifest.xml');
  if (/<(?:\w+:)?encryption-data\b/.test(manifest))
    throw new ExtractionError('Encrypted', 'The manifest lists encrypted parts');
}

/** Elements inside a paragraph whose text is not a part of it: notes, comments, pronunciation, frames, shapes. */
const ASIDES = new Set(
  'note annotation ruby-text frame custom-shape rect ellipse line connector path polygon polyline g'.split(
    ' ',
  ),
);
/** Elements in these without a paragraph of their own. */
const LINES = new Set(['note-citation', 'creator', 'date', 'title', 'desc']);
/** Embedded documents, such as charts and formulas. */
const EMBEDDED = /^[^/]+\/content\.xml$/;

/**
 * Adds the paragraphs, headings and cells, then headers and footers, then charts and other embedded documents. Skips
 * deleted text (tracked changes).
 */
export async function readOpenDocument(zip: ZipContainer, output: TextOutput): Promise<void> {
  if (!zip.has('content.xml')) throw new ExtractionError('Corrupted', 'The file has no content.xml');
  for (const part of ['content.xml', 'styles.xml', ...zip.matching(EMBEDDED)]) {
    if (output.full) return;
    await readPart(zip, part, output);
    output.add('\n\n');
  }
}

async function readPart(zip: ZipContainer, part: string, output: TextOutput): Promise<void> {
  const paragraphs = new ParagraphText(output);
  let skipped = 0;
  await parseXml(zip.read(part), {
    open(name, attributes) {
      if (name === 'tracked-changes') skipped += 1;
      if (skipped > 0) return;
      if (name === 'p' || name === 'h') paragraphs.openParagraph();
      else if (!paragraphs.isInParagraph) return;
      else if (ASIDES.has(name)) paragraphs.openAside();
      else if (name === 's')
        paragraphs.add(' '.repeat(Math.min(Number(attributes['text:c'] ?? 1) || 1, 100)));
      else if (name === 'tab') paragraphs.add('\t');
      else if (name === 'line-break') paragraphs.add('\n');
    },
    text(text) {
      // Line ends in the XML are only white space.
      if (paragraphs.isInParagraph && skipped === 0) paragraphs.add(text.replaceAll('\n', ' '));
    },
    close(name) {
      if (name === 'tracked-changes') skipped -= 1;
      else if (skipped > 0) return;
      else if (name === 'p' || name === 'h') paragraphs.closeParagraph();
      else if (name === 'table-row') paragraphs.add('\n');
      else if (paragraphs.isInParagraph && ASIDES.has(name)) paragraphs.closeAside();
      else if (paragraphs.isInAside && LINES.has(name)) paragraphs.add('\n');
    },
    get done() {
      return paragraphs.full;
    },
  });
}
