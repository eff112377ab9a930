import { spawn } from 'node:child_process';

/** Not the configuration file `tsv`, which folders with other language data may not have. */
const TSV = ['-c', 'tessedit_create_tsv=1', '-c', 'tessedit_create_txt=0'];
const MAX_OUTPUT = 16 * 1024 * 1024;
/** Below, the detected orientation is often wrong. Observed: 0.5 to 1.4 for pictures and small print, from 2.8 for pages. */
const MIN_ORIENTATION_CONFIDENCE = 2;

/** Runs the installed tesseract until a deadline. */
export class TesseractRun {
  constructor(
    private readonly languages: string,
    /** In bytes. The parent monitors only the memory of this process. */
    private readonly memory: number,
    /** In milliseconds since 1970. */
    private readonly deadline: number,
  ) {}

  /** Whether something was not read because the time was over. */
  wasCutOff = false;

  /** Ask only while something remains to be read. */
  isOver(): boolean {
    const isOver = Date.now() >= this.deadline;
    this.wasCutOff ||= isOver;
    return isOver;
  }

  get remainingMs(): number {
    return Math.max(0, this.deadline - Date.now());
  }

  /** Returns the pages of an image file. Empty if tesseract fails, for example for an unsupported or too large image. */
  async read(image: Buffer, dotsPerInch: number | null): Promise<RecognisedPage[]> {
    const resolution = dotsPerInch === null ? [] : ['--dpi', String(dotsPerInch)];
    const tsv = await this.run(['-l', this.languages, ...resolution, ...TSV], image);
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

/** One page as tesseract has read it. */
export interface RecognisedPage {
  /** Without uncertain words. */
  readonly text: string;
  /** Mean confidence of all words, weighted by their length: 0 to 100. Null without words. */
  readonly confidence: number | null;
}

/**
 * Less certain words are left out: mostly specks and lines that look like characters. Of a noisy page, 9 of 10 such
 * "words" are no words.
 */
const MIN_WORD_CONFIDENCE = 30;
/**
 * A page below gives no text. Observed: clean pages 95, noisy but legible ones from 83; upside-down or illegible ones at most
 * 47.
 */
const MIN_CONFIDENCE = 60;
/** Below, another orientation may be better. */
const MIN_UPRIGHT_CONFIDENCE = 75;

export function isProbablyUpright({ confidence }: RecognisedPage): boolean {
  // A page without words is as empty in every orientation.
  return confidence === null || confidence >= MIN_UPRIGHT_CONFIDENCE;
}

export function isLegible({ confidence }: RecognisedPage): boolean {
  return confidence !== null && confidence >= MIN_CONFIDENCE;
}

export function betterOf(one: RecognisedPage, other: RecognisedPage | null): RecognisedPage {
  return other && (other.confidence ?? 0) > (one.confidence ?? 0) ? other : one;
}

/** The text of the page; empty if it is probably not text. */
export function legibleText(page: RecognisedPage): string {
  return isLegible(page) ? page.text : '';
}

const WORD_LEVEL = '5';

/**
 * Parses the TSV output of tesseract: level, page, block, paragraph, line and word number, left, top, width, height,
 * confidence, text. Returns the pages in order.
 */
function parseTsv(tsv: string): RecognisedPage[] {
  const pages: PageBuilder[] = [];
  for (const row of tsv.split('\n')) {
    const [level, page, block, paragraph, line, , , , , , confidence, word = ''] = row.split('\t');
    if (level === 'level' || page === undefined) continue;
    const index = Number(page) - 1;
    if (!(index >= 0 && index <= pages.length)) continue;
    const builder = (pages[index] ??= new PageBuilder());
    if (level === WORD_LEVEL && word.trim() !== '')
      builder.add(word.trim(), Number(confidence), `${block} ${paragraph}`, `${block} ${paragraph} ${line}`);
  }
  return pages.map((builder) => builder.finish());
}

class PageBuilder {
  #text = '';
  #paragraph = '';
  #line = '';
  #sum = 0;
  #length = 0;

  add(word: string, confidence: number, paragraph: string, line: string): void {
    this.#sum += confidence * word.length;
    this.#length += word.length;
    if (confidence < MIN_WORD_CONFIDENCE) return;
    if (this.#text !== '') {
      this.#text += line === this.#line ? ' ' : paragraph === this.#paragraph ? '\n' : '\n\n';
    }
    this.#text += word;
    this.#paragraph = paragraph;
    this.#line = line;
  }

  finish(): RecognisedPage {
    return { text: this.#text, confidence: this.#length === 0 ? null : this.#sum / this.#length };
  }
}
