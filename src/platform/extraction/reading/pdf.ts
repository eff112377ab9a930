import { type PDFDocumentProxy, type PDFPageProxy } from 'pdfjs-dist';
import { ExtractionError } from './extraction-error.js';
import { type PdfGlyphs } from './pdf-glyphs.js';
import { joined, linesOf } from './pdf-layout.js';
import { hasRightToLeft, inLogicalOrder } from './right-to-left.js';
import { type Place, type TextOutput } from './text-output.js';

/** After so many unreadable pages in a row, the remaining pages are not tried. */
const MAX_FAILURES = 20;

/** A word hyphenated at the end of a line. Excludes suspended hyphens ("Vor- und Nachname"). */
const HYPHENATED_WORD = /(\p{Ll})[-\u2010]\n(?!(?:und|oder|bzw|sowie|and|or)\b)(\p{Ll})/gu;

/** Ligatures, contextual forms of letters, and blanks of other widths: one character for several, or for an ordinary one. */
const FORMS = /[\u00a0\u00b5\u2000-\u200a\u202f\u2126\ufb00-\ufdff\ufe70-\ufefc]+/g;

/** What recognition (OCR) needs to know of a page. */
export interface PdfPage {
  readonly number: number;
  /** Where recognised text belongs: after the text of the page. */
  readonly place: Place;
  readonly hasText: boolean;
}

/**
 * Adds the text of each page, with form fields and annotations. Skips damaged pages.
 *
 * @returns the pages that are not damaged
 * @throws ExtractionError Corrupted, when no page can be read
 */
export async function readPdf(
  document: PDFDocumentProxy,
  glyphs: PdfGlyphs,
  output: TextOutput,
): Promise<PdfPage[]> {
  const pages: PdfPage[] = [];
  let failures = 0;
  for (let number = 1; number <= document.numPages && !output.full; number += 1) {
    if (number > 1) output.newPage();
    try {
      const page = await document.getPage(number);
      const hasText = await readPage(page, glyphs, output);
      page.cleanup();
      pages.push({ number, place: output.here(), hasText });
      failures = 0;
    } catch (error) {
      failures += 1;
      if (failures < MAX_FAILURES && number < document.numPages) continue;
      if (pages.length > 0) break;
      throw new ExtractionError('Corrupted', (error as Error).message);
    }
  }
  return pages;
}

/** Returns whether the page has text, not counting form fields and annotations. */
async function readPage(page: PDFPageProxy, glyphs: PdfGlyphs, output: TextOutput): Promise<boolean> {
  // pdf.js reverses text that is written from right to left, and the letters of a ligature as well if it normalizes first.
  const content = await page.getTextContent({ includeMarkedContent: false, disableNormalization: true });
  const pieces = content.items
    .filter((item) => 'str' in item)
    .map((item) => ({ ...item, isVertical: content.styles[item.fontName]?.vertical === true }));
  const lines = hasRightToLeft(pieces)
    ? inLogicalOrder(pieces, await glyphs.ofPage(page.pageNumber))
    : linesOf(pieces).map(joined);
  const text = lines.join('\n').replace(FORMS, (forms) => forms.normalize('NFKC'));
  output.add(text.replace(HYPHENATED_WORD, '$1$2'));
  output.add(`\n${await readAnnotations(page)}`);
  return text.trim() !== '';
}

interface Annotation {
  readonly subtype?: string;
  readonly fieldValue?: unknown;
  readonly contentsObj?: { readonly str?: unknown };
}

async function readAnnotations(page: PDFPageProxy): Promise<string> {
  const annotations = (await page.getAnnotations()) as Annotation[];
  return annotations
    .flatMap(({ subtype, fieldValue, contentsObj }) =>
      subtype === 'Widget' ? fieldValue : subtype === 'Link' ? [] : contentsObj?.str,
    )
    .filter((value): value is string => typeof value === 'string' && value.trim() !== '')
    .join('\n');
}
