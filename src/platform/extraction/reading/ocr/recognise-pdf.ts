import { type PDFDocumentProxy } from 'pdfjs-dist';
import { type PdfPage } from '../pdf.js';
import { type TextOutput } from '../text-output.js';
import { type Ocr } from './ocr.js';

/** Adds the text of scanned pages, and that of images on other pages. Skips pages that cannot be drawn. */
export async function recognisePdf(
  document: PDFDocumentProxy,
  pages: readonly PdfPage[],
  output: TextOutput,
  ocr: Ocr,
): Promise<void> {
  output.flush();
  for (const { number, place, hasText } of pages) {
    if (output.full || ocr.isOver()) return;
    try {
      const page = await document.getPage(number);
      const text = await (hasText ? ocr.readImages(page) : ocr.readPage(page));
      page.cleanup();
      // Otherwise pdf.js keeps the canvases of all pages.
      if (text !== null) await document.cleanup();
      output.addRecognised(text ?? '', place);
    } catch {
      // Text and other pages can still be read.
    }
  }
}
