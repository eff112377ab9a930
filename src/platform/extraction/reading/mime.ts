import { decodeDetected, decodeText, supportedEncoding } from './decode-text.js';
import { ExtractionError } from './extraction-error.js';

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

/** Structured fields are short. The limit bounds the time of the expressions below. */
const MAX_STRUCTURED = 16 * 1024;

/** RFC 2047, 2, with the language of RFC 2231, 5. A question mark at the end of the text is a common error. */
const ENCODED_WORD = /=\?([^?*\s]{1,40})(?:\*[\w-]*)?\?([bq])\?([^?]*\??)\?=/gi;
/** `; name*0*=value`. Values may have spaces without quotes, and quotes inside quotes. */
const PARAMETER =
  /;\s*([^\s=;*]+)(?:\*(\d{1,4}))?(\*)?\s*=\s*(?:"((?:[^"\\]|\\.|"(?!\s*(?:[;(]|$)))*)"|((?:=\?[^?]*\?[bq]\?[^?]*\?=|[^;])*))/gi;
/** `charset'language'value` of RFC 2231, 4. */
const EXTENDED = /^([\w.:-]*)'[\w-]*'([^]*)$/;
/** Encodings in which the bytes of a short text can be valid UTF-8 by chance. */
const MULTIBYTE = /^(?:gb|big5|euc-|shift_jis)/;

/** The value of a header field. Bytes are Latin-1 characters; fields are unfolded. */
interface StructuredField {
  /** In lower case. */
  readonly value: string;
  /** By name in lower case, decoded. */
  readonly parameters: ReadonlyMap<string, string>;
}

/**
 * Decodes the encoded words of a header field, also inside words and quotes, and other bytes as in a text file.
 *
 * @param charset the encoding of other bytes, if they show no other
 */
export function decodeField(raw: string, charset?: string): string {
  let text = '';
  let end = 0;
  let encoding: string | undefined;
  let bytes: Buffer[] = [];
  // Adjacent words are decoded together, because some programs split characters.
  const flush = (): void => {
    text += decodeWord(Buffer.concat(bytes), encoding);
    bytes = [];
  };
  for (const { 0: word, 1: label, 2: kind, 3: content = '', index } of raw.matchAll(ENCODED_WORD)) {
    const between = raw.slice(end, index);
    const isAdjacent = bytes.length > 0 && /^\s*$/.test(between);
    if (!isAdjacent || label?.toLowerCase() !== encoding) flush();
    if (!isAdjacent) text += decodeDetected(Buffer.from(between, 'latin1'), charset);
    encoding = label?.toLowerCase();
    bytes.push(
      kind?.toLowerCase() === 'b'
        ? Buffer.from(content, 'base64')
        : decodeQuotedPrintable(content.replaceAll('_', ' ')),
    );
    end = index + word.length;
  }
  flush();
  return text + decodeDetected(Buffer.from(raw.slice(end), 'latin1'), charset);
}

function decodeWord(bytes: Buffer, label: string | undefined): string {
  const encoding = supportedEncoding(label);
  if (encoding !== null && MULTIBYTE.test(encoding)) {
    const text = decodeText(bytes, encoding);
    if (!text.includes('\ufffd')) return text;
  }
  return decodeDetected(bytes, label);
}

/** Parses a field with parameters (RFC 2045, 5.1), also in pieces and with an encoding (RFC 2231). */
function parseStructuredField(raw: string, charset?: string): StructuredField {
  const field = raw.slice(0, MAX_STRUCTURED);
  const pieces = new Map<string, { index: number; isExtended: boolean; value: string }[]>();
  for (const [, name = '', index, star, quoted, plain] of field.matchAll(PARAMETER)) {
    const key = `${name.toLowerCase()}${index === undefined && star === undefined ? '' : '*'}`;
    const value = quoted?.replace(/\\([\\"])/g, '$1') ?? plain?.trim() ?? '';
    const all = pieces.get(key) ?? [];
    pieces.set(key, all);
    if (!all.some((piece) => piece.index === Number(index ?? 0)))
      all.push({ index: Number(index ?? 0), isExtended: star !== undefined, value });
  }
  const parameters = new Map<string, string>();
  for (const [key, all] of pieces) {
    const sorted = all.sort((one, other) => one.index - other.index);
    const value = sorted.some(({ isExtended }) => isExtended)
      ? decodeExtended(sorted, charset)
      : decodeValue(sorted.map((piece) => piece.value).join(''), charset);
    // An encoded parameter has priority over its fallback for older programs.
    if (key.endsWith('*')) parameters.set(key.slice(0, -1), value);
    else if (!parameters.has(key)) parameters.set(key, value);
  }
  const value = (/^[^;]*/.exec(field)?.[0] ?? '').replace(/\([^)]*\)/g, '').trim();
  return { value: value.toLowerCase(), parameters };
}

function decodeExtended(
  pieces: readonly { readonly isExtended: boolean; readonly value: string }[],
  charset?: string,
): string {
  let label: string | undefined;
  const bytes = pieces.map(({ isExtended, value }, index) => {
    const [, found, rest] = (index === 0 && EXTENDED.exec(value)) || [];
    label ??= found;
    return Buffer.from(isExtended ? decodePercent(rest ?? value) : value, 'latin1');
  });
  return decodeWord(Buffer.concat(bytes), label || charset);
}

/** Some programs write the value of RFC 2231 or of a URL where they must not. */
function decodeValue(value: string, charset?: string): string {
  const [, label, rest] = EXTENDED.exec(value) ?? [];
  if (rest !== undefined && supportedEncoding(label))
    return decodeWord(Buffer.from(decodePercent(rest), 'latin1'), label);
  return decodeField(/%[c-f][0-9a-f]%[89ab][0-9a-f]/i.test(value) ? decodePercent(value) : value, charset);
}

function decodePercent(value: string): string {
  return value.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
}

/** RFC 2045, 6.7. */
export function decodeQuotedPrintable(text: string): Buffer {
  return Buffer.from(
    text
      .replace(/=[ \t]*\r?\n/g, '')
      .replace(/=([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))),
    'latin1',
  );
}
