import { message } from '../../../common/messages/message.js';
import { malformedBody } from '../../../common/problem.js';

/** All header lines of one part together. */
const MAX_HEADER_BYTES = 16 * 1024;
const HEADER = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):(.*)$/s;
/** A header holds none but the tab. */
const CONTROL = /[\u0000-\u0008\u000a-\u001f\u007f]/;
/** RFC 2046, 5.1.1; a boundary that other software adds characters to (`=`, `_`) is taken as well. */
const BOUNDARY = /^[\u0020-\u007e]{0,69}[\u0021-\u007e]$/;

export interface MultipartPart {
  /** By lower-case name, decoded as UTF-8 as browsers send them (RFC 7578, 5.1). */
  readonly headers: ReadonlyMap<string, string>;
  /** To be read once, before the next part is asked for; what is left of it then is skipped. */
  readonly body: AsyncIterable<Buffer>;
}

/**
 * Takes a multipart body apart (RFC 2046, 5.1) as it is pulled, holding no more of it than a piece and one
 * delimiter. It is here, and not one of the well-known parsers, for two reasons. They hand out parts without a file
 * name as text, in which bytes that are not UTF-8 have become U+FFFD and cannot be told from a U+FFFD that was
 * meant. And they skip a part whose header they cannot read: a document would silently lose its content. Here,
 * whatever is not right is a 400.
 */
export class MultipartReader {
  readonly #delimiter: Buffer;
  /** Read, but not yet made sense of. Begins with a line end: the first delimiter may come without one. */
  #rest: Buffer = Buffer.from('\r\n');
  /** True also before the first delimiter, where there can be a preamble; it is skipped like an unread body. */
  #inBody = true;

  /** @param read the next bytes of the body, null at its end */
  constructor(
    private readonly read: () => Promise<Buffer | null>,
    boundary: string,
  ) {
    if (!BOUNDARY.test(boundary)) throw malformedBody(message('multipart.boundary'));
    this.#delimiter = Buffer.from(`\r\n--${boundary}`, 'latin1');
  }

  /** The next part, or null after the last. Skips what was not read of the part before. */
  async nextPart(): Promise<MultipartPart | null> {
    while ((await this.#readBody()) !== null);
    while (this.#rest.length < 2) await this.#more();
    if (this.#rest.toString('latin1', 0, 2) === '--') return null;
    if (!/^[ \t]*$/.test(await this.#line(MAX_HEADER_BYTES))) {
      throw malformedBody(message('multipart.boundary-in-part'));
    }
    const headers = await this.#headers();
    this.#inBody = true;
    return { headers, body: this.#body() };
  }

  async #headers(): Promise<Map<string, string>> {
    const headers = new Map<string, string>();
    let left = MAX_HEADER_BYTES;
    let last = '';
    for (;;) {
      const line = await this.#line(left);
      if (line === '') return headers;
      left -= Buffer.byteLength(line) + 2;
      // Mail software folds long lines (RFC 5322, 2.2.3).
      const folded = /^[ \t]/.test(line) ? trimBlanks(line) : undefined;
      const [, name = last, text] = HEADER.exec(line) ?? [];
      const value = text === undefined ? folded : trimBlanks(text);
      const key = name.toLowerCase();
      if (
        key === '' ||
        value === undefined ||
        CONTROL.test(value) ||
        headers.has(key) !== (folded !== undefined)
      ) {
        throw malformedBody(message('multipart.header'));
      }
      headers.set(key, folded === undefined ? value : `${headers.get(key)} ${folded}`);
      last = key;
    }
  }

  async #line(limit: number): Promise<string> {
    for (;;) {
      const end = this.#rest.indexOf('\r\n');
      if (end > limit || (end < 0 && this.#rest.length > limit)) {
        throw malformedBody(message('multipart.max-header'));
      }
      if (end >= 0) {
        const line = this.#rest.toString('utf8', 0, end);
        this.#rest = this.#rest.subarray(end + 2);
        return line;
      }
      await this.#more();
    }
  }

  async *#body(): AsyncGenerator<Buffer> {
    for (let bytes; (bytes = await this.#readBody()) !== null;) yield bytes;
  }

  /** Some bytes of the current body, or null when the delimiter is reached, which is then behind us. */
  async #readBody(): Promise<Buffer | null> {
    while (this.#inBody) {
      const at = this.#rest.indexOf(this.#delimiter);
      // Without a delimiter in sight, all but what may be the beginning of one.
      const end = at >= 0 ? at : Math.max(0, this.#rest.length - this.#delimiter.length + 1);
      const bytes = this.#rest.subarray(0, end);
      this.#rest = this.#rest.subarray(at >= 0 ? at + this.#delimiter.length : end);
      if (at >= 0) this.#inBody = false;
      if (bytes.length > 0) return bytes;
      if (at < 0) await this.#more();
    }
    return null;
  }

  async #more(): Promise<void> {
    const bytes = await this.read();
    if (bytes === null) throw malformedBody(message('multipart.incomplete'));
    this.#rest = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
  }
}

/** Takes blanks and tabs off both ends. By hand: `/[ \t]*$/` tries every run of them on the way, which takes n² steps. */
function trimBlanks(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && isBlank(text[start])) start += 1;
  while (end > start && isBlank(text[end - 1])) end -= 1;
  return text.slice(start, end);
}

function isBlank(character: string | undefined): boolean {
  return character === ' ' || character === '\t';
}
