import { ExtractionError } from './extraction-error.js';
import {
  type StructuredField,
  decodeField,
  decodeQuotedPrintable,
  parseStructuredField,
} from './mime-header.js';

/** Maximum nesting depth of parts. Real messages are far less deep. */
const MAX_DEPTH = 50;
/** Maximum number of parts in one part. Further ones are not read. */
const MAX_PARTS = 10_000;
/** Maximum size of a header, in bytes. */
const MAX_HEADER = 1024 * 1024;

/** A message or a part of one (RFC 2045). Keeps views of its bytes, not copies. */
export class MimePart {
  /** The media type in lower case. */
  readonly type: string;
  /** The declared encoding of the text. */
  readonly charset: string | undefined;
  readonly fileName: string | null;
  readonly isAttachment: boolean;
  /** Whether lines that end with a space continue (RFC 3676), and whether that space is removed. */
  readonly flow: 'space' | 'delete' | null;
  /** Empty unless the part is a multipart. */
  readonly children: readonly MimePart[];
  readonly #fields = new Map<string, string>();
  readonly #body: Buffer;

  /** @throws ExtractionError Corrupted */
  constructor(bytes: Buffer, depth = 0, defaultType = 'text/plain') {
    if (depth > MAX_DEPTH) throw new ExtractionError('Corrupted', `parts are deeper than ${MAX_DEPTH}`);
    this.#body = this.#readHeader(bytes);
    const { value, parameters } = this.#structured('content-type');
    // RFC 2045, 5.2: an invalid type counts as a missing one.
    this.type = value.includes('/') ? value : defaultType;
    this.charset = parameters.get('charset');
    const isFlowed = /^flowed$/i.test(parameters.get('format') ?? '');
    this.flow = !isFlowed ? null : /^yes$/i.test(parameters.get('delsp') ?? '') ? 'delete' : 'space';
    const disposition = this.#structured('content-disposition');
    this.isAttachment = disposition.value === 'attachment';
    this.fileName = disposition.parameters.get('filename') || parameters.get('name') || null;
    const boundary = this.type.startsWith('multipart/') ? parameters.get('boundary') : undefined;
    const childType = this.type === 'multipart/digest' ? 'message/rfc822' : 'text/plain';
    this.children = boundary
      ? partsOf(this.#body, boundary).map((part) => new MimePart(part, depth + 1, childType))
      : [];
  }

  /** The decoded value of a field; empty if it is missing. */
  text(name: string, charset = this.charset): string {
    return decodeField(this.raw(name), charset);
  }

  /** The value of a field; each character is a byte. */
  raw(name: string): string {
    return this.#fields.get(name) ?? '';
  }

  /** The body without its transfer encoding. */
  content(): Buffer {
    const encoding = this.#structured('content-transfer-encoding').value;
    const body = this.#body;
    if (encoding === 'base64') return Buffer.from(body.toString('latin1'), 'base64');
    return encoding === 'quoted-printable' ? decodeQuotedPrintable(body.toString('latin1')) : body;
  }

  /** Returns the body. */
  #readHeader(bytes: Buffer): Buffer {
    const start = bytes.subarray(0, MAX_HEADER).toString('latin1');
    const { index = start.length, 0: gap = '' } = /(?:^|\r?\n)\r?\n/.exec(start) ?? {};
    for (const line of start
      .slice(0, index)
      .replace(/\r?\n(?=[ \t])/g, '')
      .split(/\r?\n/)) {
      const [, name, value = ''] = /^([^\s:]+)[ \t]*:[ \t]*([^]*)$/.exec(line) ?? [];
      // The first of several fields counts.
      if (name && !this.#fields.has(name.toLowerCase())) this.#fields.set(name.toLowerCase(), value);
    }
    return bytes.subarray(index + gap.length);
  }

  #structured(name: string): StructuredField {
    return parseStructuredField(this.raw(name), this.charset);
  }
}

/** Splits the body of a multipart (RFC 2046, 5.1). The last part may have no end. */
function partsOf(body: Buffer, boundary: string): Buffer[] {
  const delimiter = Buffer.from(`--${boundary}`, 'latin1');
  const parts: Buffer[] = [];
  let start: number | null = null;
  let isLast = false;
  for (let at = 0; (at = body.indexOf(delimiter, at)) >= 0 && !isLast;) {
    const end = at + delimiter.length;
    const isLineStart = at === 0 || body[at - 1] === 0x0a;
    const line = isLineStart && /^(--)?[ \t]*(?:\r?\n|$)/.exec(body.toString('latin1', end, end + 100));
    if (line) {
      if (start !== null) parts.push(body.subarray(start, Math.max(start, endOfLine(body, at))));
      start = end + line[0].length;
      isLast = line[1] !== undefined || parts.length >= MAX_PARTS;
    }
    at = end;
  }
  if (start !== null && !isLast) parts.push(body.subarray(start));
  return parts;
}

/** The position before the line end that belongs to a delimiter. */
function endOfLine(body: Buffer, delimiter: number): number {
  return delimiter - (body[delimiter - 2] === 0x0d ? 2 : 1);
}
