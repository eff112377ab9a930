import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { parse as parseDisposition } from 'content-disposition';
import { message } from '../../../common/messages/message.js';
import { invalidValue, malformedBody } from '../../../common/problem.js';
import { headerText } from './header-text.js';
import {
  type ContentOptions,
  type UploadedContent,
  DEFAULT_MEDIA_TYPE,
  cleanFileName,
  mediaTypeOf,
  readMultipartContent,
} from './multipart-upload.js';
import { RequestBytes, rejectEncodedBody } from './request-bytes.js';

/**
 * Reads a request whose body is content. Either the body itself is the content, of any media type, with a file name
 * from `Content-Disposition` (RFC 6266); or the content is the file part `content` of a `multipart/form-data` body.
 *
 * If reading fails, no temporary file stays in the store, and the connection can still carry the response.
 *
 * @throws Problem 400, 413, 415, and what the store throws
 */
export async function readContentBody(
  request: IncomingMessage,
  options: ContentOptions,
): Promise<UploadedContent> {
  const { headers } = request;
  // RFC 9110, 14.5: a server without support for partial PUT must reject Content-Range.
  if (headers['content-range'] !== undefined) throw invalidValue('Content-Range', 'content.range');
  if (/^\s*multipart\/form-data\s*(;|$)/i.test(headers['content-type'] ?? '')) {
    return readMultipartContent(request, options);
  }
  rejectEncodedBody(request);
  const fileName = fileNameOf(headers['content-disposition']);
  if (isAbsent(request)) throw malformedBody(message('content.required'));
  const bytes = new RequestBytes(request, options.limit, options.transferRate);
  try {
    const received = await options.store.receive(Readable.from(bytes, { objectMode: false }), options.limit);
    return { fileName, mediaType: mediaTypeOf(headers['content-type']) ?? DEFAULT_MEDIA_TYPE, received };
  } finally {
    bytes.release();
  }
}

/** Empty content is valid. But without a body and a Content-Type, the client has probably forgotten the content. */
function isAbsent({ headers }: IncomingMessage): boolean {
  return (
    headers['transfer-encoding'] === undefined &&
    headers['content-type'] === undefined &&
    Number(headers['content-length'] ?? 0) === 0
  );
}

function fileNameOf(header: string | undefined): string | null {
  if (header === undefined) return null;
  const { filename, 'filename*': extended } = parseDisposition(header).parameters;
  if (filename === undefined && extended !== undefined) {
    throw invalidValue('Content-Disposition', 'content.file-name');
  }
  // Node decodes header fields as Latin-1.
  const isRaw = extended === undefined && filename !== undefined;
  return cleanFileName(isRaw ? headerText(Buffer.from(filename, 'latin1')) : filename);
}
