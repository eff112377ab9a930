import { isUtf8 } from 'node:buffer';
import chardet from 'chardet';
import iconv from 'iconv-lite';

/** Bytes used to detect an encoding. Limited because some detectors read every byte several times. */
const SAMPLE = 64 * 1024;

/**
 * Bytes of the non-ASCII characters in Western European text (windows-1252): quotes, dashes, €, §, °, umlauts, accents.
 * A text with no other non-ASCII bytes is read as Western European, because statistics fail on few such bytes.
 */
const WESTERN_BYTES = new Set(
  Buffer.from([
    0x80, 0x82, 0x84, 0x85, 0x91, 0x92, 0x93, 0x94, 0x96, 0x97, 0xa0, 0xa7, 0xab, 0xae, 0xb0, 0xb2, 0xb3,
    0xb4, 0xb5, 0xb7, 0xbb, 0xbd, 0xc4, 0xc9, 0xd6, 0xdc, 0xdf, 0xe0, 0xe1, 0xe2, 0xe4, 0xe5, 0xe7, 0xe8,
    0xe9, 0xea, 0xeb, 0xed, 0xee, 0xef, 0xf1, 0xf3, 0xf4, 0xf6, 0xf8, 0xfa, 0xfb, 0xfc,
  ]),
);

/** Names of chardet → names of TextDecoder. On the web, ISO-8859-1 means windows-1252. */
const ENCODING_ALIASES: Readonly<Record<string, string>> = {
  'ISO-8859-1': 'windows-1252',
  'ISO-8859-8-I': 'iso-8859-8',
};

/** Letters in DOS texts of Western Europe (code page 850), which windows-1252 does not have there: ü, ä, ö, Ö. */
const DOS = { letters: /\x81[a-z]|[a-z]\x81|[a-z]\x84|[a-z]\x94[a-z]|\x99[a-z]/i, encoding: 'cp850' };
/** The same in texts of Mac OS before 10: ä, ü. */
const MAC = { letters: /[a-z][\x8a\x9f][a-z]|[A-Z]\x9f[a-z]/, encoding: 'macintosh' };
/** What else is in such texts: letters of Western Europe and signs; in DOS texts also frames. */
const DOS_TEXT = /^[\x00-\x7f\x80-\xa8\xad-\xdf\xe1\xf5\xf8\xfa]*$/;
const MAC_TEXT = /^[\x00-\x9f\xa1\xa4-\xa8\xbe\xbf\xc0\xc1\xc7\xc8\xca\xd0-\xd5\xdb-\xdd\xe2\xe3]*$/;

const ASCII_LABEL = /ascii|^\s*ansi_x3/i;

export function encodingOfByteOrderMark(bytes: Buffer): string | null {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  if (bytes.length >= 4 && bytes.readUInt32LE() === 0xfeff) return 'utf-32le';
  if (bytes.length >= 4 && bytes.readUInt32BE() === 0xfeff) return 'utf-32be';
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return null;
}

/**
 * Detects the encoding of a text. Uses the first of these that applies: byte order mark, escape sequence of ISO-2022-JP,
 * position of zeros in UTF-16 and UTF-32, valid UTF-8, `declared`, statistics.
 *
 * @param declared encoding declared in the text (HTML meta, XML declaration)
 */
export function detectEncoding(bytes: Buffer, declared?: string): string {
  const marked = encodingOfByteOrderMark(bytes);
  if (marked) return marked;
  const sample = bytes.subarray(0, SAMPLE);
  if (/\x1b\$[@B]/.test(sample.toString('latin1'))) return 'iso-2022-jp';
  const wide = detectWideEncoding(sample);
  if (wide) return wide;
  if (isUtf8(withoutIncompleteCharacter(bytes))) return 'utf-8';
  const known = supportedEncoding(declared);
  const letters = sampleOfLetters(bytes);
  // Senders declare ASCII for any encoding.
  const isBelievable = known !== null && known !== 'utf-8' && !ASCII_LABEL.test(declared ?? '');
  if (isBelievable && !decodeText(letters, known).slice(0, -1).includes('\ufffd')) return known;
  return detectByteEncoding(letters);
}

/** Decodes a text, see {@link detectEncoding}. */
export function decodeDetected(bytes: Buffer, declared?: string): string {
  return decodeText(bytes, detectEncoding(bytes, declared));
}

/** The part of a text in which letters other than those of ASCII begin. Much ASCII before them confuses statistics. */
function sampleOfLetters(bytes: Buffer): Buffer {
  const first = bytes.findIndex((byte) => byte >= 0x80);
  const start = first < SAMPLE / 2 ? 0 : first;
  return bytes.subarray(start, start + SAMPLE);
}

/** Detects UTF-16 and UTF-32 by their zeros. */
export function detectWideEncoding(sample: Buffer): string | null {
  return sample.length < 4 || !sample.includes(0) ? null : (detectUtf32(sample) ?? detectUtf16(sample));
}

/** Detects UTF-32: all units are characters, and no control characters. */
function detectUtf32(sample: Buffer): string | null {
  const length = sample.length - (sample.length % 4);
  const isText = (unitAt: (at: number) => number): boolean => {
    for (let at = 0; at < length; at += 4) {
      const unit = unitAt(at);
      if (unit > 0x10ffff || (unit < 0x20 && !(unit >= 0x09 && unit <= 0x0d))) return false;
    }
    return true;
  };
  if (length < 8) return null;
  if (isText((at) => sample.readUInt32LE(at))) return 'utf-32le';
  return isText((at) => sample.readUInt32BE(at)) ? 'utf-32be' : null;
}

/** Detects UTF-16: more than 40 % of the high bytes are zero, and their low bytes are no control characters. */
function detectUtf16(sample: Buffer): string | null {
  const pairs = Math.floor(sample.length / 2);
  for (const [encoding, high] of [
    ['utf-16le', 1],
    ['utf-16be', 0],
  ] as const) {
    let zeros = 0;
    let others = 0;
    for (let index = 0; index < pairs * 2; index += 2) {
      const low = sample[index + 1 - high] ?? 0;
      if (sample[index + high] === 0) zeros += 1;
      // Text has no control characters. This check excludes binary data with small aligned numbers.
      if (sample[index + high] === 0 && low < 0x20 && !(low >= 0x09 && low <= 0x0d)) others += 1;
    }
    if (others === 0 && zeros > pairs * 0.4) return encoding;
  }
  return null;
}

function withoutIncompleteCharacter(bytes: Buffer): Buffer {
  for (let length = 1; length <= Math.min(3, bytes.length); length += 1) {
    const byte = bytes[bytes.length - length] ?? 0;
    if (byte < 0x80) return bytes;
    if (byte >= 0xc0) {
      const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      return needed > length ? bytes.subarray(0, bytes.length - length) : bytes;
    }
  }
  return bytes;
}

/** Encodings before Unicode that few letters show: `\x84` between small letters is ä in DOS, and never in windows-1252. */
function detectOldEncoding(sample: Buffer, high: number): string | null {
  if (high === 0 || high > sample.length * 0.2) return null;
  const text = sample.toString('latin1');
  if (DOS.letters.test(text) && DOS_TEXT.test(text)) return DOS.encoding;
  if (MAC.letters.test(text) && MAC_TEXT.test(text)) return MAC.encoding;
  return null;
}

function detectByteEncoding(sample: Buffer): string {
  let high = 0;
  let unusual = 0;
  let control = false;
  let currency = false;
  for (const byte of sample) {
    if (byte < 0x80) continue;
    high += 1;
    if (byte < 0xa0) control = true;
    if (byte === 0xa4) currency = true;
    else if (!WESTERN_BYTES.has(byte)) unusual += 1;
  }
  // 0xa4 is € in ISO-8859-15 and ¤ in windows-1252. Real text contains €, but hardly ever ¤.
  const western = currency && !control ? 'iso-8859-15' : 'windows-1252';
  const old = detectOldEncoding(sample, high);
  if (old !== null) return old;
  if (unusual === 0 && high <= sample.length * 0.5) return western;
  const name = chardet.analyse(sample).map((match) => ENCODING_ALIASES[match.name] ?? match.name)[0];
  const encoding = name === undefined ? null : supportedEncoding(name);
  return encoding === null || encoding === 'utf-8' || encoding === 'windows-1252' ? western : encoding;
}

export interface Decoder {
  /** Without bytes: the end of a text that was decoded with `stream`. */
  decode(bytes?: Uint8Array, options?: { readonly stream?: boolean }): string;
}

/** Encodings of the library that are not for texts. */
const NOT_FOR_TEXTS = /^(?:base64|hex|binary|utf-?7-?imap)$/;

/**
 * The encoding of a label that {@link decoderOf} supports, or null. UTF-8 for a declared UTF-16, because the declaration
 * was readable as ASCII.
 */
export function supportedEncoding(label: string | undefined): string | null {
  const name = label?.trim().toLowerCase() ?? '';
  try {
    const { encoding } = new TextDecoder(name);
    return encoding.startsWith('utf-16') ? 'utf-8' : encoding;
  } catch {
    return iconv.encodingExists(name) && !NOT_FOR_TEXTS.test(name) ? name : null;
  }
}

/** A TextDecoder, or a decoder for encodings that browsers do not know: code pages of DOS, UTF-32, UTF-7. */
export function decoderOf(encoding: string): Decoder {
  try {
    return new TextDecoder(encoding);
  } catch {
    const decoder = iconv.getDecoder(encoding);
    return { decode: (bytes) => (bytes ? decoder.write(Buffer.from(bytes)) : (decoder.end() ?? '')) };
  }
}

/** Decodes a whole text. As a stream, because Node 20 otherwise decodes windows-1252 without its quotes, dashes and €. */
export function decodeText(bytes: Uint8Array, encoding: string): string {
  const decoder = decoderOf(encoding);
  return decoder.decode(bytes, { stream: true }) + decoder.decode();
}

/**
 * Loads the tables of East Asian code pages, which the library otherwise loads when it needs them. The library for
 * Outlook messages shares them by `overrides` in package.json.
 */
export function loadCodePages(): void {
  for (const name of ['cp932', 'cp936', 'cp949', 'cp950', 'gb18030', 'eucjp', 'big5hkscs'])
    iconv.encodingExists(name);
}
