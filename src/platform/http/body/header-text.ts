const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Decodes the bytes of a header field: UTF-8, which most clients send, otherwise Latin-1 (RFC 9110, 5.5). */
export function headerText(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    return bytes.toString('latin1');
  }
}
