import { type PDFDocumentProxy } from 'pdfjs-dist';
import { loadPdfJs } from './load-pdf-js.js';
import { openPdf } from './open-pdf.js';
import { type Source } from './source.js';

/** The glyphs of a PDF file. Opens the file again at the first use, without decoding its images. */
export class PdfGlyphs {
  #document: PDFDocumentProxy | null = null;

  constructor(private readonly source: Source) {}

  /** Returns the text of each glyph in the order of the file, without spaces. Returns nothing for a damaged page. */
  async ofPage(number: number): Promise<string[]> {
    try {
      return await this.#readPage(number);
    } catch {
      return [];
    }
  }

  /** Returns what the appearances of these annotations show, a line for each run. Returns nothing for a damaged page. */
  async ofAnnotations(number: number, ids: ReadonlySet<string>): Promise<string> {
    try {
      return await this.#readAnnotations(number, ids);
    } catch {
      return '';
    }
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
