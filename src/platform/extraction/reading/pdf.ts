import { type PDFDocumentProxy, type PDFPageProxy } from 'pdfjs-dist';
import { type Attachment, attachmentOf } from './attachments.js';
import { ExtractionError } from './extraction-error.js';
import { hasRightToLeft, inLogicalOrder, joined, linesOf } from './pdf-layout.js';
import { type Source } from './source.js';
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
  source: Source,
  output: TextOutput,
): Promise<PdfPage[]> {
  if (await isDynamicForm(document))
    throw new ExtractionError('ConverterMissing', 'The file is a dynamic form (XFA)');
  const glyphs = new PdfGlyphs(source);
  const pages: PdfPage[] = [];
  let failures = 0;
  try {
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
  } finally {
    await glyphs.close();
  }
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
  return files.map(({ filename, content }) => attachmentOf(filename, () => Buffer.from(content ?? [])));
}

/** The glyphs of a PDF file. Opens the file again at the first use, without decoding its images. */
class PdfGlyphs {
  #document: PDFDocumentProxy | null = null;

  constructor(private readonly source: Source) {}

  /** Returns the text of each glyph in the order of the file, without spaces. Returns nothing for a damaged page. */
  ofPage(number: number): Promise<string[]> {
    return this.#readPage(number).catch(() => []);
  }

  /** Returns what the appearances of these annotations show, a line for each run. Returns nothing for a damaged page. */
  ofAnnotations(number: number, ids: ReadonlySet<string>): Promise<string> {
    return this.#readAnnotations(number, ids).catch(() => '');
  }

  async #readAnnotations(number: number, ids: ReadonlySet<string>): Promise<string> {
    const { OPS, AnnotationMode } = await loadPdfJs();
    const lines: string[] = [];
    let isShown = false;
    for (const [operator, argument] of await this.#operators(number, AnnotationMode.ENABLE)) {
      if (operator === OPS.beginAnnotation) isShown = ids.has(argument as string);
      else if (operator === OPS.endAnnotation) isShown = false;
      else if (isShown && operator === OPS.showText) lines.push(lineOf(argument as Glyphs));
    }
    return lines.join('\n');
  }

  async #readPage(number: number): Promise<string[]> {
    const { OPS, AnnotationMode } = await loadPdfJs();
    const operators = await this.#operators(number, AnnotationMode.DISABLE);
    return operators.flatMap(([operator, argument]) =>
      operator === OPS.showText ? (argument as Glyphs).flatMap(textOf) : [],
    );
  }

  /** Operators with their first argument. */
  async #operators(number: number, annotationMode: number): Promise<[operator: number, unknown][]> {
    this.#document ??= await openPdf(this.source, { maxImageSize: 1 });
    const page = await this.#document.getPage(number);
    const { fnArray, argsArray } = await page.getOperatorList({ annotationMode });
    page.cleanup();
    return fnArray.map((operator, index) => [operator, (argsArray[index] as unknown[] | null)?.[0]]);
  }

  async close(): Promise<void> {
    await this.#document?.loadingTask.destroy();
  }
}

/** Glyphs, and numbers that move the next one. */
type Glyphs = readonly (number | { readonly unicode: string })[];

/** Moves to the right by more are spaces. Unit: thousandths of the size of the text. */
const SPACE = 200;

function lineOf(glyphs: Glyphs): string {
  return glyphs
    .map((glyph) => (typeof glyph !== 'number' ? glyph.unicode : glyph < -SPACE ? ' ' : ''))
    .join('');
}

function textOf(glyph: Glyphs[number]): string[] {
  return typeof glyph === 'number' || /^\s/.test(glyph.unicode) ? [] : [glyph.unicode];
}

/** @throws ExtractionError Encrypted or Corrupted; a PDF that opens with an empty password does not count as Encrypted */
export async function openPdf(
  source: Source,
  { maxImageSize = 100_000_000 } = {},
): Promise<PDFDocumentProxy> {
  const { getDocument, VerbosityLevel } = await loadPdfJs();
  const bytes = await source.read(0, source.size);
  try {
    return await getDocument({
      data: new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength),
      // Relative to the working folder, which is the folder of the package.
      cMapUrl: 'cmaps/',
      cMapPacked: true,
      standardFontDataUrl: 'standard_fonts/',
      wasmUrl: 'wasm/',
      iccUrl: 'iccs/',
      useSystemFonts: false,
      isEvalSupported: false,
      maxImageSize,
      verbosity: VerbosityLevel.ERRORS,
    }).promise;
  } catch (error) {
    const { name, message } = error as Error;
    throw new ExtractionError(name === 'PasswordException' ? 'Encrypted' : 'Corrupted', message);
  }
}

/**
 * Loads pdf.js. It needs the browser class DOMMatrix when it is loaded and takes it from @napi-rs/canvas, a package with
 * native code. That package is installed and allowed only for OCR. An empty class is enough for reading text.
 */
export async function loadPdfJs(): Promise<typeof import('pdfjs-dist/legacy/build/pdf.mjs')> {
  try {
    await import('@napi-rs/canvas');
  } catch {
    Object.assign(globalThis, { DOMMatrix: class {} });
  }
  return import('pdfjs-dist/legacy/build/pdf.mjs');
}
