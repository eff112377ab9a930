import { message } from '../../../common/messages/message.js';
import { malformedBody } from '../../../common/problem.js';
import { headerText } from './header-text.js';

/** Maximum size of all header lines of one part. */
const MAX_HEADER_BYTES = 16 * 1024;
const HEADER = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):(.*)$/s;
/** Control characters that a header value must not contain: all except the tab. */
const CONTROL = /[\u0000-\u0008\u000a-\u001f\u007f]/;
/** RFC 2046, 5.1.1. Also accepts further printable characters, because some clients use them. */
const BOUNDARY = /^[\u0020-\u007e]{0,69}[\u0021-\u007e]$/;

export interface MultipartPart {
  /** Header values by lower-case name. Browsers send UTF-8 (RFC 7578, 5.1). */
  readonly headers: ReadonlyMap<string, string>;
  /** Can be read once, before the next call of `nextPart`, which skips unread bytes. */
  readonly body: AsyncIterable<Buffer>;
}

/**
 * Streaming parser of multipart bodies (RFC 2046, 5.1). It buffers at most one chunk and one delimiter.
 *
 * Well-known parsers are not used, because they lose content without an error (ADR 10). This parser answers 400 to
 * every syntax error.
 */
export class MultipartReader {
  readonly #delimiter: Buffer;
  /** Unparsed bytes. Starts with a line end, because the first delimiter may come without one. */
  #rest: Buffer = Buffer.from('\r\n');
  /** Also true before the first delimiter: a preamble is skipped like an unread body. */
  #inBody = true;

  /** @param read returns the next bytes of the body, null at its end */
  constructor(
    private readonly read: () => Promise<Buffer | null>,
    boundary: string,
  ) {
    if (!BOUNDARY.test(boundary)) throw malformedBody(message('multipart.boundary'));
    this.#delimiter = Buffer.from(`\r\n--${boundary}`, 'latin1');
  }

  /** Null after the last part. Skips unread bytes of the previous part. */
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
      // Some clients fold long header lines, as in mail (RFC 5322, 2.2.3).
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
        const line = headerText(this.#rest.subarray(0, end));
        this.#rest = this.#rest.subarray(end + 2);
        return line;
      }
      await this.#more();
    }
  }

  async *#body(): AsyncGenerator<Buffer> {
    for (let bytes; (bytes = await this.#readBody()) !== null;) yield bytes;
  }

  /** Returns some bytes of the current body; null at its end, after consuming the delimiter. */
  async #readBody(): Promise<Buffer | null> {
    while (this.#inBody) {
      const at = this.#rest.indexOf(this.#delimiter);
      // Without a complete delimiter, keep back the bytes that can be the start of one.
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

/** Trims blanks and tabs. Not with `/[ \t]*$/`, which takes quadratic time. */
function trimBlanks(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && isBlank(text[start])) start += 1;
  while (end > start && isBlank(text[end - 1])) end -= 1;
  return text.slice(start, end);
}

function isBlank(character: string | undefined): boolean {
  return character === ' ' || character === '\t';
}
