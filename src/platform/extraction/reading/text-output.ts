/** Gets the text of a file, normalised. */
export interface TextReceiver {
  /** Appends text. Pages are separated by form feeds. */
  append(text: string): void;
  /** Takes recognised text for a page. It belongs to the offset `at` of the appended text, as a paragraph. */
  insert(text: string, at: number, page: number): void;
}

/** Where text belongs that is recognised later. */
export interface Place {
  /** From 1; 1 in a file without pages. */
  readonly page: number;
  /** Offset in the text without recognised texts, in UTF-16 units. */
  readonly at: number;
}

/** Collects the text of a file up to a limit; readers stop once it is full. */
export class TextOutput {
  /** Of the current page, since the last place. */
  #pieces: string[] = [];
  /** Normalised, but not sent. */
  #unsent: string[] = [];
  #length = 0;
  /** Whether the text comes from an attachment: the pages of the file itself are counted, not those inside it. */
  isInAttachment = false;
  #page = 1;
  /** Length of the normalised text without recognised texts. */
  #end = 0;
  /** Length of the normalised text that may still follow. */
  #room: number;
  #pageHasText = false;
  #isEmpty = true;

  /** @param limit in UTF-16 units, applied before normalisation (the result may be shorter) */
  constructor(
    readonly limit: number,
    private readonly receiver: TextReceiver,
  ) {
    this.#room = limit;
  }

  get full(): boolean {
    return this.#length >= this.limit;
  }

  /** Whether nothing but white space has been sent. */
  get isEmpty(): boolean {
    return this.#isEmpty;
  }

  /** A form feed in the text is only a line end: {@link newPage} separates pages. */
  add(text: string): void {
    this.#add(text.replaceAll('\f', '\n'));
  }

  /** Call it between two pages. In an attachment, a page is only a paragraph. */
  newPage(): void {
    if (this.isInAttachment) return this.#add('\n\n');
    this.#endParagraph();
    this.#page += 1;
    this.#pageHasText = false;
    this.#length += 1;
    this.#append('\f');
  }

  /** The place after everything that has been added. What follows on this page begins a new paragraph. */
  here(): Place {
    this.#endParagraph();
    return { page: this.#page, at: this.#end };
  }

  /** Sends what has been added, and text from character recognition. */
  addRecognised(text: string, { page, at }: Place): void {
    this.flush();
    // It gets a separator before and after it.
    const normal = truncate(normalise(text), Math.max(0, this.#room - 4));
    if (normal === '' || this.full) return;
    this.#isEmpty = false;
    this.#length += text.length;
    this.#room -= normal.length + 4;
    this.receiver.insert(normal, at, page);
  }

  /** Sends what has been added, so that it is kept if the process is ended. What follows begins a new paragraph. */
  flush(): void {
    this.#endParagraph();
    const text = this.#unsent.join('');
    this.#unsent = [];
    if (text === '') return;
    if (/\S/.test(text)) this.#isEmpty = false;
    this.receiver.append(text);
  }

  #add(text: string): void {
    if (text === '' || this.full) return;
    const room = this.limit - this.#length;
    this.#length += text.length;
    this.#pieces.push(truncate(text, room));
    // Join them: many small strings need far more memory than their characters.
    if (this.#pieces.length > 10_000) this.#pieces = [this.#pieces.join('')];
  }

  #endParagraph(): void {
    const text = normalise(this.#pieces.join(''));
    this.#pieces = [];
    if (text === '') return;
    this.#append(this.#pageHasText ? `\n\n${text}` : text);
    this.#pageHasText = true;
  }

  #append(text: string): void {
    const part = truncate(text, Math.max(0, this.#room));
    this.#room -= part.length;
    this.#end += part.length;
    this.#unsent.push(part);
    if (this.#unsent.length > 10_000) this.#unsent = [this.#unsent.join('')];
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

/** Normalises for PostgreSQL and search: NFC, LF, no form feeds and other control characters, no repeated spaces. */
function normalise(text: string): string {
  return text
    .toWellFormed()
    .replace(LINE_ENDS, '\n')
    .replace(INVISIBLE, '')
    .replace(EXCESS_MARKS, '$1')
    .normalize('NFC')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .replace(/^[ \n]+|[ \n]+$/g, '');
}
