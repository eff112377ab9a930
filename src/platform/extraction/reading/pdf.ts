import { type PDFDocumentProxy, type PDFPageProxy } from 'pdfjs-dist';
import { type Attachment } from './attachments.js';
import { ExtractionError } from './extraction-error.js';
import { type PdfGlyphs } from './pdf-glyphs.js';
import { joined, linesOf } from './pdf-layout.js';
import { hasRightToLeft, inLogicalOrder } from './right-to-left.js';
import { BufferSource } from './source.js';
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
  /** Files attached to the page. */
  readonly files: readonly Attachment[];
}

/**
 * Adds the text of each page, with form fields and annotations. Skips damaged pages.
 *
 * @returns the pages that are not damaged
 * @throws ExtractionError Corrupted, when no page can be read; ConverterMissing for a dynamic form
 */
export async function readPdf(
  document: PDFDocumentProxy,
  glyphs: PdfGlyphs,
  output: TextOutput,
): Promise<PdfPage[]> {
  if (await isDynamicForm(document))
    throw new ExtractionError('ConverterMissing', 'The file is a dynamic form (XFA)');
  const pages: PdfPage[] = [];
  let failures = 0;
  for (let number = 1; number <= document.numPages && !output.full; number += 1) {
    if (number > 1) output.newPage();
    try {
      const page = await document.getPage(number);
      const found = await readPage(page, glyphs, output);
      page.cleanup();
      pages.push({ number, place: output.here(), ...found });
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

/** Whether the file has only a form in XML (XFA), and a page that asks to wait for the program that shows it. */
async function isDynamicForm(document: PDFDocumentProxy): Promise<boolean> {
  const { info } = await document.getMetadata();
  const { IsXFAPresent: isXfa, IsAcroFormPresent: hasFields } = info as Record<string, unknown>;
  return isXfa === true && hasFields === false;
}

/** Adds the text of a page. `hasText` does not count form fields and annotations. */
async function readPage(
  page: PDFPageProxy,
  glyphs: PdfGlyphs,
  output: TextOutput,
): Promise<Pick<PdfPage, 'hasText' | 'files'>> {
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
  const annotations = (await page.getAnnotations()) as Annotation[];
  output.add(`\n${await textOfAnnotations(annotations, page.pageNumber, glyphs)}`);
  return {
    hasText: text.trim() !== '',
    files: annotations.flatMap(({ file }) => (file ? attachmentsOf([file]) : [])),
  };
}

/** A file in a PDF (ISO 32000-1, 7.11). */
interface PdfFile {
  readonly filename: string;
  readonly content: Uint8Array | null;
}

interface Annotation {
  readonly id: string;
  readonly subtype?: string;
  readonly fieldValue?: unknown;
  readonly contentsObj?: { readonly str?: unknown };
  /** What the appearance of a form field or a free text shows. */
  readonly textContent?: readonly string[];
  readonly hasAppearance?: boolean;
  readonly file?: PdfFile;
}

async function textOfAnnotations(
  annotations: readonly Annotation[],
  page: number,
  glyphs: PdfGlyphs,
): Promise<string> {
  const texts: string[] = [];
  const onlyDrawn = new Set<string>();
  for (const { id, subtype, fieldValue, contentsObj, textContent, hasAppearance } of annotations) {
    if (subtype === 'Link') continue;
    // Lists have several values.
    const values = [subtype === 'Widget' ? fieldValue : contentsObj?.str]
      .flat()
      .filter((value): value is string => typeof value === 'string' && value.trim() !== '');
    if (values.length > 0) texts.push(...values);
    else if (textContent) texts.push(...textContent);
    else if (hasAppearance && subtype !== 'Widget') onlyDrawn.add(id);
  }
  if (onlyDrawn.size > 0) texts.push(await glyphs.ofAnnotations(page, onlyDrawn));
  return texts.join('\n');
}

/** Files that belong to the whole document, such as those of a portfolio. */
export async function attachedFiles(document: PDFDocumentProxy): Promise<Attachment[]> {
  const files = (await document.getAttachments()) as Readonly<Record<string, PdfFile>> | null;
  return attachmentsOf(Object.values(files ?? {}));
}

function attachmentsOf(files: readonly PdfFile[]): Attachment[] {
  return files.map(({ filename, content }) => ({
    fileName: filename,
    claimedType: 'application/octet-stream',
    open: async () => new BufferSource(Buffer.from(content ?? [])),
  }));
}
