import { type ParsedUrlQuery, parse, unescape } from 'node:querystring';

/** A lone surrogate. Every validation of a value rejects it. */
const NOT_TEXT = '\ud800';

/**
 * Parses a query string. A parameter that is present several times becomes an array, without limit. A value with
 * bytes that are not UTF-8 becomes invalid instead of silently containing U+FFFD. A percent sign that encodes nothing
 * stays a percent sign.
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
