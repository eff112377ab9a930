import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { create as contentDisposition } from 'content-disposition';
import { matchesIfMatch, matchesIfNoneMatch, preconditionFailed } from '../../../common/entity-tag.js';
import { Problem } from '../../../common/problem.js';
import type { ByteRange, ContentStore } from '../../content/content-store.js';
import { detectEncoding } from '../../extraction/reading/decode-text.js';
import { onClose } from '../server/on-close.js';

/**
 * Media types that a browser may show inline, because they cannot run scripts in the service's origin. No SVG or
 * HTML.
 */
const SHOWABLE = new Set([
  'application/pdf',
  'image/gif',
  'image/jpeg',
  'image/png',
  'image/tiff',
  'image/webp',
  'text/plain',
]);

export interface ContentToSend {
  readonly store: ContentStore;
  readonly tenantId: string;
  /** Lower-case hexadecimal; also the entity tag. */
  readonly sha256: string;
  /** In bytes. */
  readonly size: number;
  readonly mediaType: string;
  readonly fileName: string | null;
  /** Requested disposition; `inline` applies only to media types that are safe to show. */
  readonly disposition: 'inline' | 'attachment';
  /** The connection is closed when the client reads nothing for this long. */
  readonly idleTimeoutMs: number;
  /**
   * Called before the first byte of the whole content (null) or of a range is sent; not for HEAD, 304 or a rejected
   * request. An exception becomes the response.
   */
  readonly beforeBytes?: (range: ByteRange | null) => Promise<void>;
}

/** The entity tag of content: it depends only on the bytes. */
export function contentTag(sha256: string): string {
  return `"${sha256}"`;
}

/**
 * Answers GET or HEAD with stored content: the whole, one range of it (RFC 9110, 14), or 304. With `If-Match`, a
 * client continues a download only if the content is still the same (13.1.1). A request for several ranges gets the
 * whole content, as 14.2 allows: few clients send it, and many small or overlapping ranges are a known attack
 * (17.15).
 *
 * Resolves when the response is sent or the client has disconnected. All checks come before the first header. If
 * reading fails later, the connection is closed, so that the client notices the missing bytes, and the promise is
 * rejected for the log; no problem document can be sent then (`response.headersSent`).
 *
 * @throws Problem 412, 416, and 500 if the bytes are missing
 */
export async function sendContent(
  request: IncomingMessage,
  response: ServerResponse,
  content: ContentToSend,
): Promise<void> {
  const etag = contentTag(content.sha256);
  const caching = { ETag: etag, 'Cache-Control': 'private, no-cache' };
  const { 'if-match': expected, 'if-none-match': known } = request.headers;
  if (expected !== undefined && !matchesIfMatch(expected, etag)) {
    throw preconditionFailed(expected);
  }
  if (known !== undefined && matchesIfNoneMatch(known, etag)) {
    // The client updates the headers of its stored response with these (RFC 9111, 4.3.4).
    response.writeHead(304, { ...caching, 'Content-Security-Policy': contentPolicy(content) }).end();
    return;
  }
  const range = request.method === 'GET' ? requestedRange(request, content.size, etag) : null;
  const length = range ? range.end - range.start + 1 : content.size;
  const headers: OutgoingHttpHeaders = {
    ...caching,
    'Content-Disposition': contentDisposition(content.fileName?.toWellFormed(), {
      type: dispositionOf(content),
    }),
    'Content-Security-Policy': contentPolicy(content),
    // A browser must not find another media type in malicious content.
    'X-Content-Type-Options': 'nosniff',
    'Accept-Ranges': 'bytes',
    'Content-Type': await shownType(content),
    'Content-Length': length,
  };
  if (range) headers['Content-Range'] = `bytes ${range.start}-${range.end}/${content.size}`;

  const stream = await openContent(request, content, range);
  if (stream && !response.destroyed) {
    try {
      await content.beforeBytes?.(range);
    } catch (error) {
      stream.destroy();
      throw error;
    }
  }
  // The client disconnected while the content was opened. `pipeline` would leave the stream open.
  if (response.destroyed) {
    stream?.destroy();
    return;
  }
  // Set the headers only now: a problem document must not have the headers of the content.
  response.writeHead(range ? 206 : 200, headers);
  if (!stream) {
    response.end();
    return;
  }
  // Close only if bytes are waiting for the client. Otherwise the store is slow, not the client.
  response.setTimeout(content.idleTimeoutMs, () => {
    if (response.writableLength > 0) response.destroy();
  });
  let clientGone = false;
  // Registered before the listener of `pipeline`, which destroys the stream: an intact stream shows that the client
  // ended.
  onClose(response, () => (clientGone ||= !stream.destroyed));
  try {
    await pipeline(stream, response);
  } catch (error) {
    if (!clientGone) throw error;
  }
}

/** Bytes of a shown text that decide its encoding. Few, because this process detects it. */
const ENCODING_SAMPLE = 16 * 1024;
/** Names of IANA for encodings that have another name here. */
const CHARSETS: Readonly<Record<string, string>> = { cp850: 'ibm850' };

/** The media type; with the encoding if a browser shows the text, because it would read it as windows-1252. */
async function shownType(content: ContentToSend): Promise<string> {
  const { store, tenantId, sha256, size, mediaType } = content;
  if (mediaType !== 'text/plain' || size === 0 || dispositionOf(content) !== 'inline') return mediaType;
  try {
    const range = { start: 0, end: Math.min(size, ENCODING_SAMPLE) - 1 };
    const encoding = detectEncoding(await buffer(await store.open(tenantId, sha256, range)));
    return `${mediaType}; charset=${CHARSETS[encoding] ?? encoding}`;
  } catch (error) {
    throw new Problem('service.error', { cause: error });
  }
}

/** Opens the content; null for HEAD. Missing bytes are an error for both methods. */
async function openContent(
  request: IncomingMessage,
  { store, tenantId, sha256, size }: ContentToSend,
  range: ByteRange | null,
): Promise<Readable | null> {
  try {
    const stored = await store.size(tenantId, sha256);
    if (stored !== size) throw new Error(`Content ${sha256} has ${stored} bytes and should have ${size}.`);
    return request.method === 'HEAD' ? null : await store.open(tenantId, sha256, range ?? undefined);
  } catch (error) {
    if (error instanceof Problem) throw error;
    throw new Problem('service.error', { cause: error });
  }
}

function dispositionOf({ mediaType, disposition }: ContentToSend): 'inline' | 'attachment' {
  return disposition === 'inline' && SHOWABLE.has(mediaType) ? 'inline' : 'attachment';
}

/**
 * Gives malicious content no permissions when it is shown. A PDF has no `sandbox`, because browsers do not start their PDF
 * viewer in one; scripts of the PDF stay inside the viewer.
 */
function contentPolicy(content: ContentToSend): string {
  const isShownPdf = dispositionOf(content) === 'inline' && content.mediaType === 'application/pdf';
  const sandbox = isShownPdf ? '' : 'sandbox; ';
  return `${sandbox}default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
}

/**
 * Returns the range to send. Null means the whole content: without Range, if Range is malformed (14.2: ignore it) or
 * has several ranges, or if If-Range (13.1.5, strong comparison) is not the tag of this content.
 */
function requestedRange(request: IncomingMessage, size: number, etag: string): ByteRange | null {
  const { range: header, 'if-range': condition } = request.headers;
  if (header === undefined || (condition !== undefined && condition !== etag)) return null;
  const [unit, list = ''] = header.split('=', 2);
  const ranges = list.split(',').filter((range) => range.trim() !== '');
  const [, first, last] = /^\s*(\d*)-(\d*)\s*$/.exec(ranges[0] ?? '') ?? [];
  if (
    unit?.trim().toLowerCase() !== 'bytes' ||
    ranges.length !== 1 ||
    first === undefined ||
    last === undefined
  ) {
    return null;
  }
  if (first === '') {
    // Suffix range: the last bytes, at most the whole content.
    if (last === '' || (size === 0 && Number(last) > 0)) return null;
    if (Number(last) === 0) throw rangeNotSatisfiable(size);
    return { start: Math.max(0, size - Number(last)), end: size - 1 };
  }
  const start = Number(first);
  if (last !== '' && Number(last) < start) return null;
  if (start >= size) throw rangeNotSatisfiable(size);
  return { start, end: last === '' ? size - 1 : Math.min(Number(last), size - 1) };
}

function rangeNotSatisfiable(size: number): Problem {
  return new Problem('content.range-not-satisfiable', { headers: { 'Content-Range': `bytes */${size}` } });
}
