import { spawn } from 'node:child_process';
import { type OcrSettings } from '../../extraction-limits.js';
import { type RecognisedPage, parseTsv } from './recognised-page.js';

/** Not the configuration file `tsv`, which folders with other language data may not have. */
const TSV = ['-c', 'tessedit_create_tsv=1', '-c', 'tessedit_create_txt=0'];
const MAX_OUTPUT = 16 * 1024 * 1024;
/** Below, the detected orientation is often wrong. Observed: 0.5 to 1.4 for pictures and small print, from 2.8 for pages. */
const MIN_ORIENTATION_CONFIDENCE = 2;

/** Runs the installed tesseract until a deadline. */
export class TesseractRun {
  constructor(
    private readonly settings: OcrSettings,
    /** In bytes. The parent monitors only the memory of this process. */
    private readonly memory: number,
    /** In milliseconds since 1970. */
    private readonly deadline: number,
  ) {}

  #wasCutOff = false;

  /** Ask only while something remains to be read. */
  isOver(): boolean {
    const isOver = Date.now() >= this.deadline;
    this.#wasCutOff ||= isOver;
    return isOver;
  }

  /** Whether something was not read because the time was over. */
  get wasCutOff(): boolean {
    return this.#wasCutOff;
  }

  get remainingMs(): number {
    return Math.max(0, this.deadline - Date.now());
  }

  /** Returns the pages of an image file. Empty if tesseract fails, for example for an unsupported or too large image. */
  async read(image: Buffer, dotsPerInch: number | null): Promise<RecognisedPage[]> {
    const resolution = dotsPerInch === null ? [] : ['--dpi', String(dotsPerInch)];
    const tsv = await this.run(['-l', this.settings.languages, ...resolution, ...TSV], image);
    return tsv === null ? [] : parseTsv(tsv);
  }

  /** By how many degrees the image must be turned clockwise. Null if unknown, or if the data `osd` is not installed. */
  async turnOf(image: Buffer): Promise<number | null> {
    const found = (await this.run(['-l', 'osd', '--psm', '0'], image)) ?? '';
    const turn = /^Rotate: (0|90|180|270)$/m.exec(found)?.[1];
    const confidence = /^Orientation confidence: (\d+(?:\.\d+)?)$/m.exec(found)?.[1];
    return turn === undefined || Number(confidence) < MIN_ORIENTATION_CONFIDENCE ? null : Number(turn);
  }

  /** Returns the output; null if the program fails. */
  private async run(args: readonly string[], image: Buffer): Promise<string | null> {
    if (this.isOver()) return null;
    const script = `ulimit -v ${Math.floor(this.memory / 1024)}; exec tesseract stdin stdout "$@"`;
    const child = spawn('/bin/sh', ['-c', script, 'tesseract', ...args], {
      stdio: ['pipe', 'pipe', 'ignore'],
      timeout: this.remainingMs,
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
      child.on('error', () => resolve(null));
      child.on('close', (code) => {
        if (code === 0) return resolve(Buffer.concat(chunks).toString('utf8'));
        // Notes whether the time limit has ended it.
        this.isOver();
        resolve(null);
      });
    });
  }
}
