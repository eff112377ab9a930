import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { matchesIfNoneMatch } from '../../../common/entity-tag.js';

interface Representation {
  /** With parameters. */
  readonly mediaType: string;
  /** With quotes. */
  readonly entityTag: string;
  readonly headers?: OutgoingHttpHeaders;
  /** Called only if the client does not have the representation already, for GET and HEAD. */
  readonly body: () => Promise<Buffer>;
}

/**
 * Answers GET or HEAD with a representation that is no JSON, or with 304. Only the client may store it, and asks each
 * time whether it is current: the rights of the caller may have changed.
 */
export async function sendRepresentation(
  request: IncomingMessage,
  response: ServerResponse,
  { mediaType, entityTag, headers, body }: Representation,
): Promise<void> {
  const caching = { ETag: entityTag, 'Cache-Control': 'private, no-cache' };
  const { 'if-none-match': known } = request.headers;
  if (known !== undefined && matchesIfNoneMatch(known, entityTag)) {
    response.writeHead(304, caching).end();
    return;
  }
  const bytes = await body();
  if (response.destroyed) return;
  response.writeHead(200, {
    ...caching,
    ...headers,
    'Content-Type': mediaType,
    'Content-Length': bytes.length,
    // Against malicious content: no media type sniffing, and no permissions for what a browser shows.
    'Content-Security-Policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
    'X-Content-Type-Options': 'nosniff',
  });
  response.end(request.method === 'HEAD' ? undefined : bytes);
}
