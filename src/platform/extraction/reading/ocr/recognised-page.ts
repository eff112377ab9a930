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
export function parseTsv(tsv: string): RecognisedPage[] {
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
