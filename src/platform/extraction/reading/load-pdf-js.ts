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
