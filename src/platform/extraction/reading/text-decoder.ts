import iconv from 'iconv-lite';

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
