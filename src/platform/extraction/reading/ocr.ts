import { spawn } from 'node:child_process';
import { type PDFPageProxy } from 'pdfjs-dist';
import { type ExtractionLimits, type OcrSettings } from '../extraction-limits.js';
import { loadCanvas } from './pictures/canvas.js';
import { type Source } from './source.js';

/** Resolution for which tesseract is trained. */
const DOTS_PER_INCH = 300;
/** A4 at 300 dpi has 8.7 million pixels. Larger pages are rendered at a lower resolution. */
const MAX_PIXELS = 20_000_000;
/** Share of the time limit that OCR may use. Then tesseract is stopped; the rest of the time is for other work. */
const TIME_SHARE = 0.7;
const MAX_OUTPUT = 4 * 1024 * 1024;

/** Recognises text with the installed tesseract during the first part of the time limit (see TIME_SHARE). */
export class Ocr {
  readonly #deadline: number;

  constructor(
    private readonly settings: OcrSettings,
    private readonly limits: ExtractionLimits,
  ) {
    this.#deadline = Date.now() + limits.timeMs * TIME_SHARE;
  }

  readonly readPage = async (page: PDFPageProxy): Promise<string> => {
    if (Date.now() > this.#deadline) return '';
    const { createCanvas } = await loadCanvas();
    const size = page.getViewport({ scale: 1 });
    const scale = Math.min(DOTS_PER_INCH / 72, Math.sqrt(MAX_PIXELS / (size.width * size.height)));
    const viewport = page.getViewport({ scale });
    const canvas = createCanvas(Math.ceil(viewport.width), Math.ceil(viewport.height));
    await page.render({ canvas, viewport }).promise;
    return this.#recognise(await canvas.encode('png'), Math.round(scale * 72));
  };

  async readImage(source: Source): Promise<string> {
    return this.#recognise(await source.read(0, source.size), null);
  }

  /** Returns an empty text if tesseract fails, for example for an unsupported or too large image. */
  async #recognise(image: Buffer, dotsPerInch: number | null): Promise<string> {
    const remainingMs = this.#deadline - Date.now();
    if (remainingMs <= 0) return '';
    const args = [
      'stdin',
      'stdout',
      '-l',
      this.settings.languages,
      ...(dotsPerInch === null ? [] : ['--dpi', String(dotsPerInch)]),
    ];
    // Limit the memory of tesseract too: the parent monitors only the memory of this process.
    const kilobytes = Math.floor(this.limits.memory / 1024);
    const script = `ulimit -v ${kilobytes}; exec tesseract "$@"`;
    const child = spawn('/bin/sh', ['-c', script, 'tesseract', ...args], {
      stdio: ['pipe', 'pipe', 'ignore'],
      timeout: remainingMs,
      killSignal: 'SIGKILL',
    });
    const chunks: Buffer[] = [];
    let length = 0;
    child.stdout.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= MAX_OUTPUT) chunks.push(chunk);
    });
    // EPIPE, if tesseract ends before it has read the whole image.
    child.stdin.on('error', () => undefined);
    child.stdin.end(image);
    return new Promise((resolve) => {
      child.on('error', () => resolve(''));
      child.on('close', (code) => resolve(code === 0 ? Buffer.concat(chunks).toString('utf8') : ''));
    });
  }
}
