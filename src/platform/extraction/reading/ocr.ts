import { spawn } from 'node:child_process';
import { type PDFPageProxy } from 'pdfjs-dist';
import { type ExtractionLimits, type OcrSettings } from '../extraction-limits.js';
import { type Source } from './source.js';

/** What tesseract is trained for; it is told, because a rendered page does not say it. */
const DOTS_PER_INCH = 300;
/** A4 at that resolution has 8.7 million; larger pages are drawn smaller. */
const MAX_PIXELS = 20_000_000;
/** The rest of a file's time: for what is under way when this share of it is over. */
const TIME_SHARE = 0.7;
const MAX_OUTPUT = 4 * 1024 * 1024;

/** Recognises text with the installed tesseract, as long as a good part of the file's time is left. */
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
    const { createCanvas } = await import('@napi-rs/canvas');
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

  /** What it fails at has no text: a picture in a format that it cannot read, or too large. */
  async #recognise(image: Buffer, dotsPerInch: number | null): Promise<string> {
    const left = this.#deadline - Date.now();
    if (left <= 0) return '';
    const args = [
      'stdin',
      'stdout',
      '-l',
      this.settings.languages,
      ...(dotsPerInch === null ? [] : ['--dpi', String(dotsPerInch)]),
    ];
    // Of its own memory as much as a file may have, which the parent's watch over this process does not see.
    const kilobytes = Math.floor(this.limits.memory / 1024);
    const script = `ulimit -v ${kilobytes}; exec tesseract "$@"`;
    const child = spawn('/bin/sh', ['-c', script, 'tesseract', ...args], {
      stdio: ['pipe', 'pipe', 'ignore'],
      timeout: left,
      killSignal: 'SIGKILL',
    });
    const chunks: Buffer[] = [];
    let length = 0;
    child.stdout.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= MAX_OUTPUT) chunks.push(chunk);
    });
    // It may end before it has read everything.
    child.stdin.on('error', () => undefined);
    child.stdin.end(image);
    return new Promise((resolve) => {
      child.on('error', () => resolve(''));
      child.on('close', (code) => resolve(code === 0 ? Buffer.concat(chunks).toString('utf8') : ''));
    });
  }
}
