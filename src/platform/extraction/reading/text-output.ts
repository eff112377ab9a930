/** Collects the text of a file up to a limit; readers stop once it is full. */
export class TextOutput {
  #pieces: string[] = [];
  #length = 0;
  /** Whether the text comes from an attachment: the pages of the file itself are counted, not those inside it. */
  isInAttachment = false;
  #page = 1;
  readonly #recognisedPages = new Set<number>();

  /** @param limit in UTF-16 units, applied before normalisation (the result may be shorter) */
  constructor(readonly limit: number) {}

  get full(): boolean {
    return this.#length >= this.limit;
  }

  get length(): number {
    return this.#length;
  }

  /** A form feed in the text is only a line end: {@link newPage} separates pages. */
  add(text: string): void {
    this.#add(text.replaceAll('\f', '\n'));
  }

  /** Adds text from character recognition. */
  addRecognised(text: string): void {
    if (text.trim() === '' || this.full) return;
    this.#recognisedPages.add(this.#page);
    this.add(text);
  }

  /** Pages with text from character recognition, in ascending order, from 1; a text without pages is page 1. */
  get recognisedPages(): number[] {
    return [...this.#recognisedPages];
  }

  /** Call it between two pages. In an attachment, a page is only a paragraph. */
  newPage(): void {
    if (this.isInAttachment) return this.#add('\n\n');
    this.#page += 1;
    this.#add('\f');
  }

  #add(text: string): void {
    if (text === '' || this.full) return;
    const room = this.limit - this.#length;
    this.#length += text.length;
    this.#pieces.push(truncate(text, room));
    // Join them: many small strings need far more memory than their characters.
    if (this.#pieces.length > 10_000) this.#pieces = [this.#pieces.join('')];
  }

  /** The pages are separated by form feeds, empty ones too. Null if the normalised text is empty or only white space. */
  finish(): string | null {
    const text = normalise(this.#pieces.join(''));
    return /\S/.test(text) ? truncate(text, this.limit) : null;
  }
}

/** Does not split a surrogate pair. */
function truncate(text: string, length: number): string {
  return text.length <= length ? text : text.slice(0, length).replace(/[\ud800-\udbff]$/, '');
}

/** More than 32 combining marks on a letter. No script needs so many, and NFC needs quadratic time for them. */
const EXCESS_MARKS = /(\p{M}{32})\p{M}+/gu;
const LINE_ENDS = /\r\n?|[\v\u0085\u2028\u2029]/g;
/** Control characters, soft hyphens, zero-width spaces and byte order marks: useless for search. */
const INVISIBLE = /[\u0000-\u0008\u000e-\u001f\u007f-\u009f\u00ad\u200b\u2060\ufeff]/g;

/** Normalises for PostgreSQL and search: NFC, LF, no control characters but form feeds, no repeated spaces. */
function normalise(text: string): string {
  return text
    .toWellFormed()
    .replace(LINE_ENDS, '\n')
    .replace(INVISIBLE, '')
    .replace(EXCESS_MARKS, '$1')
    .normalize('NFC')
    .replace(/[^\S\n\f]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .replace(/[ \n]*\f[ \n]*/g, '\f')
    .replace(/^[ \n]+|[ \n]+$/g, '');
}
