import { type PDFDocumentProxy } from 'pdfjs-dist';
import { ExtractionError } from './extraction-error.js';
import { loadPdfJs } from './load-pdf-js.js';
import { type Source } from './source.js';

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
