import { type ParsedUrlQuery, parse, unescape } from 'node:querystring';

/** No text that is fit for anything can contain it, so every check of a value refuses it. */
const NOT_TEXT = '\ud800';

/**
 * Reads a query string: a parameter given more than once is a list, however many there are. Bytes that are no UTF-8
 * (encoded surrogates among them) must not turn into U+FFFD unseen; a percent sign that encodes nothing stays one.
 */
export function parseQuery(text: string | null | undefined): ParsedUrlQuery {
  return parse(text ?? '', '&', '=', { decodeURIComponent: decode, maxKeys: 0 });
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    const decoded = unescape(text);
    return decoded.includes('\ufffd') ? NOT_TEXT : decoded;
  }
}
