import { lookup } from 'mime-types';
import { type ExtractionRequest } from '../extractor.js';

/** As sent by the client. */
export type Hints = Pick<ExtractionRequest, 'fileName' | 'claimedType'>;

/** Header fields at the start of real messages (RFC 5322, 3.6; fields that mail servers add). */
const MAIL_FIELD =
  /^(?:from|to|cc|subject|date|sender|reply-to|message-id|received|return-path|delivered-to|mime-version|content-type|in-reply-to|references|x-[\w-]+|dkim-signature|arc-[\w-]+|authentication-results|received-spf):/i;
/** A message has at least one of these fields; other texts may also have lines with colons. */
const MAIL_EVIDENCE = /^(?:from|received|message-id|mime-version|return-path|delivered-to):/im;
/** The start of HTML according to WHATWG MIME Sniffing, 7.1. */
const HTML =
  /^<(?:!doctype html|html|head|script|iframe|h1|div|font|table|a|style|title|b|body|br|p)(?:[\s>/]|$)/i;
/** XML without a declaration, recognised by a namespace. */
const XML = /^<(?:svg[\s>]|[\w-]+:[\w-]+[\s>]|[\w-]+\s+xmlns[=:])/;
/** A byte order mark, empty lines, the header of an HTTP response, lines for a printer, the first line of an mbox. */
const BEFORE_HEADER =
  /^(?:\xef\xbb\xbf)?(?:\s+|HTTP\/[\d.]+ \d{3}[^\n]*\n(?:[^\r\n]+\r?\n)*\r?\n|(?:\x1b%-12345X)?@PJL[^\n]*\n)*(?:>?From [^\n]*\n)?/;
export const MAILBOX_TYPE = 'application/mbox';
/** Two messages with the line before them (RFC 4155). */
const MAILBOX = /^\s*From [^]*\n\r?\nFrom [^\r\n]*\d:\d\d[^\r\n]*\r?\n[!-9;-~]+:/;
const HTML_ELEMENT = /<(?:p|div|br|span|a|b|i|em|strong|table|ul|ol|h[1-6]|img|body|html)\b[^>]*>/i;

const essence = (type: string): string => (type.split(';')[0] ?? '').trim().toLowerCase();

/** The type by file name comes first, because browsers send wrong types for .csv. */
export function hintedTypes({ fileName, claimedType }: Hints): string[] {
  const byName = fileName === null ? false : lookup(fileName);
  const claimed = essence(claimedType);
  return [...(byName ? [byName] : []), ...(/^[\w.+-]+\/[\w.+-]+$/.test(claimed) ? [claimed] : [])];
}

/** The encoding that the client or a message declares. */
export function charsetOf({ claimedType }: Hints): string | undefined {
  return /;\s*charset\s*=\s*"?([\w.:-]+)/i.exec(claimedType)?.[1];
}

/**
 * Returns the media type of a text. Hints are used only for types that the text itself does not show, such as CSV. They
 * cannot make plain text a type that browsers execute.
 *
 * @param start start of the text, without a byte order mark
 * @param isWhole whether `start` is the complete text
 */
export function textMediaType(start: string, isWhole: boolean, hints: Hints): string {
  const hinted = hintedTypes(hints);
  const text = start.replace(/^(?:\s+|<!--[^]*?-->)+/, '');
  if (HTML.test(text)) return 'text/html';
  if (text.startsWith('<?xml') || XML.test(text)) return xmlType(text, hinted);
  if (isMessage(start, hinted.includes('message/rfc822')))
    return MAILBOX.test(start) ? MAILBOX_TYPE : 'message/rfc822';
  if (/^[[{]/.test(text) && isJson(text, isWhole, hinted)) return 'application/json';
  if (hinted.includes('text/html') && HTML_ELEMENT.test(text)) return 'text/html';
  return (
    hinted.find((type) => type.startsWith('text/') && !/^text\/(?:html|xml|plain)$/.test(type)) ??
    'text/plain'
  );
}

function xmlType(text: string, hinted: readonly string[]): string {
  const root = /<(?![?!])(?:[\w-]+:)?([\w-]+)/.exec(text.replace(/<!--[^]*?-->/g, ''))?.[1];
  if (root === 'html') return 'application/xhtml+xml';
  if (root === 'svg') return 'image/svg+xml';
  const special = hinted.find((type) => /^application\/.*\+xml$/.test(type));
  return special === undefined || special === 'application/xhtml+xml' ? 'application/xml' : special;
}

/** Length of what may stand before the header of a message: see {@link BEFORE_HEADER}. */
export function beforeHeader(start: string): number {
  return BEFORE_HEADER.exec(start)?.[0].length ?? 0;
}

/** Whether the text begins with a block of header fields (folded lines allowed), of which at least two are mail fields. */
function isMessage(start: string, isHinted: boolean): boolean {
  const lines = start.slice(beforeHeader(start)).split(/\r?\n/, 400);
  const end = lines.indexOf('');
  const block = end < 0 ? lines.slice(0, -1) : lines.slice(0, end);
  let fields = 0;
  for (const [index, line] of block.entries()) {
    if (/^[ \t]/.test(line) && index > 0) continue;
    if (!/^[!-9;-~]+[ \t]*:/.test(line)) return false;
    if (MAIL_FIELD.test(line)) fields += 1;
  }
  return isHinted ? fields >= 1 : fields >= 2 && MAIL_EVIDENCE.test(block.join('\n'));
}

function isJson(text: string, isWhole: boolean, hinted: readonly string[]): boolean {
  if (!isWhole) return hinted.includes('application/json');
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
