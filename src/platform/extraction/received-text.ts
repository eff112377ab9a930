/** More pages cannot be recognised within the time limit. */
const MAX_RECOGNISED_PAGES = 1000;

interface Recognised {
  /** Offset in the appended text. */
  readonly at: number;
  text: string;
}

/** Puts together the text that a reading process sends: first that of the file, then recognised texts for places in it. */
export class ReceivedText {
  #text = '';
  readonly #recognised: Recognised[] = [];
  readonly #pages = new Set<number>();
  /** In UTF-16 units. */
  length = 0;

  append(text: string): void {
    this.#text += text;
    this.length += text.length;
  }

  /** @param at offset in the appended text; null continues the last recognised text */
  insert(text: string, at: number | null, page: number): void {
    const last = this.#recognised.at(-1);
    if (at === null && last) last.text += text;
    else this.#recognised.push({ at: at ?? 0, text });
    this.#pages.add(page);
    this.length += text.length;
  }

  /** Pages with recognised text, in ascending order, from 1; a text without pages is page 1. */
  get recognisedPages(): number[] {
    return [...this.#pages].sort((one, other) => one - other).slice(0, MAX_RECOGNISED_PAGES);
  }

  /** Pages are separated by form feeds, empty ones too. Null if there is only white space. */
  finish(): string | null {
    const pieces: string[] = [];
    let last = '\f';
    const add = (text: string): void => {
      if (text === '') return;
      // A recognised text is a paragraph of its page.
      if (pieces.length > 0 && !/[\n\f]/.test(last + text.charAt(0))) pieces.push('\n\n');
      pieces.push(text);
      last = text.slice(-1);
    };
    let from = 0;
    for (const { at, text } of this.#recognised.toSorted((one, other) => one.at - other.at)) {
      add(this.#text.slice(from, at));
      add(text);
      from = at;
    }
    add(this.#text.slice(from));
    const text = pieces.join('');
    return /\S/.test(text) ? text : null;
  }
}
