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

  async #readPage(number: number): Promise<string[]> {
    this.#document ??= await openPdf(this.source, { maxImageSize: 1 });
    const { OPS, AnnotationMode } = await loadPdfJs();
    const page = await this.#document.getPage(number);
    const { fnArray, argsArray } = await page.getOperatorList({ annotationMode: AnnotationMode.DISABLE });
    page.cleanup();
    return fnArray.flatMap((operator, index) =>
      operator === OPS.showText ? (argsArray[index] as ShowTextArguments)[0].flatMap(textOf) : [],
    );
  }

  async close(): Promise<void> {
    await this.#document?.loadingTask.destroy();
  }
}

/** Glyphs, and numbers that move the next one. */
type ShowTextArguments = readonly [readonly (number | { readonly unicode: string })[]];

function textOf(glyph: ShowTextArguments[0][number]): string[] {
  return typeof glyph === 'number' || /^\s/.test(glyph.unicode) ? [] : [glyph.unicode];
}
