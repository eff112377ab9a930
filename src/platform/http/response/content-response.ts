import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { create as contentDisposition } from 'content-disposition';
import { matchesIfMatch, matchesIfNoneMatch } from '../../../common/entity-tag.js';
import { Problem } from '../../../common/problem.js';
import type { ByteRange, ContentStore } from '../../content/content-store.js';
import { onClose } from '../server/on-close.js';

/** What a browser may show by itself: nothing of it can run script in the name of the service. Not SVG, not HTML. */
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
  /** `inline` is a wish, granted only for types that are safe to show. */
  readonly disposition: 'inline' | 'attachment';
  /** How long the client may take nothing, before it is given up and the content let go of. */
  readonly idleTimeoutMs: number;
  /**
   * Awaited right before the first byte of content leaves: of all of it (null), or of a range; not for HEAD, 304, or
   * what is refused. What it throws is answered instead.
   */
  readonly beforeBytes?: (range: ByteRange | null) => Promise<void>;
}

/** The entity tag of content, which is what it is and nothing else. */
export function contentTag(sha256: string): string {
  return `"${sha256}"`;
}

/**
 * Answers GET or HEAD with kept content: whole, or one range of it (RFC 9110, 14), or 304. `If-Match` lets a download
 * go on only with what it began with (13.1.1). To several ranges at once
 * it answers the whole, as 14.2 allows: hardly any client asks for them, and many small or overlapping ones are a
 * known way to make a server work (17.15).
 *
 * Resolves when the answer is sent, or the client has gone. Everything that can be refused is refused before a
 * header is sent; when reading fails in the middle, the connection is cut, so that nobody takes a part for the
 * whole, and the promise is rejected for the log to know: nothing can be answered then (`response.headersSent`).
 *
 * @throws Problem 412, 416, and 500 when the bytes are missing
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
    throw new Problem('request.precondition-failed');
  }
  if (known !== undefined && matchesIfNoneMatch(known, etag)) {
    // What is kept is shown with the headers of the latest answer (RFC 9111, 4.3.4), also of this one.
    response.writeHead(304, { ...caching, 'Content-Security-Policy': contentPolicy(content) }).end();
    return;
  }
  const range = request.method === 'GET' ? requestedRange(request, content.size, etag) : null;
  const length = range ? range.end - range.start + 1 : content.size;
  const headers: OutgoingHttpHeaders = {
    ...caching,
    ...protection(content),
    'Accept-Ranges': 'bytes',
    'Content-Type': content.mediaType,
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
  // Who hung up while the content was being opened; pipeline would leave the stream open.
  if (response.destroyed) {
    stream?.destroy();
    return;
  }
  // All headers at once, and only now: an answer to a Problem must not carry what was meant for the content.
  response.writeHead(range ? 206 : 200, headers);
  if (!stream) {
    response.end();
    return;
  }
  // Where nothing waits to be taken, it is the store that is slow.
  response.setTimeout(content.idleTimeoutMs, () => {
    if (response.writableLength > 0) response.destroy();
  });
  let clientGone = false;
  // Before pipeline adds its own listener, which destroys the stream: who ended first can still be told here.
  onClose(response, () => (clientGone ||= !stream.destroyed));
  try {
    await pipeline(stream, response);
  } catch (error) {
    if (!clientGone) throw error;
  }
}

/** The stream to send, or null for HEAD, which is told of missing bytes just as well. */
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

/**
 * Against content that was made to attack whoever opens it: no guessing of types, and no rights for what is shown.
 * A PDF is shown without `sandbox`, because browsers refuse to start their viewer in it; its scripts, if the viewer
 * runs any, stay within the viewer.
 */
function protection(content: ContentToSend): OutgoingHttpHeaders {
  return {
    'Content-Disposition': contentDisposition(content.fileName?.toWellFormed(), {
      type: dispositionOf(content),
    }),
    'Content-Security-Policy': contentPolicy(content),
    'X-Content-Type-Options': 'nosniff',
  };
}

function dispositionOf({ mediaType, disposition }: ContentToSend): 'inline' | 'attachment' {
  return disposition === 'inline' && SHOWABLE.has(mediaType) ? 'inline' : 'attachment';
}

function contentPolicy(content: ContentToSend): string {
  const isShownPdf = dispositionOf(content) === 'inline' && content.mediaType === 'application/pdf';
  const sandbox = isShownPdf ? '' : 'sandbox; ';
  return `${sandbox}default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
}

/**
 * The one range to send, or null for the whole content: without Range, with one that is not well-formed (14.2: to be
 * ignored) or names several, and when If-Range (13.1.5, compared strongly) names something else than this content.
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
    // The last so many bytes; all there are, if there are fewer.
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
