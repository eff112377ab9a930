import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { parse as parseDisposition } from 'content-disposition';
import { message } from '../../../common/messages/message.js';
import { invalidValue, malformedBody } from '../../../common/problem.js';
import { rejectEncodedBody } from './content-encoding.js';
import {
  type ContentOptions,
  type UploadedContent,
  DEFAULT_MEDIA_TYPE,
  cleanFileName,
  mediaTypeOf,
  readMultipartContent,
} from './multipart-upload.js';
import { RequestBytes } from './request-bytes.js';

/**
 * Reads a request whose body is content: the body itself, of whatever media type, under the file name that a
 * `Content-Disposition` gives (RFC 6266), or the file part `content` of a `multipart/form-data`.
 *
 * Whatever fails: nothing temporary stays in the store, and the connection is fit for the answer.
 *
 * @throws Problem 400, 413, 415, and what the store throws
 */
export async function readContentBody(
  request: IncomingMessage,
  options: ContentOptions,
): Promise<UploadedContent> {
  const { headers } = request;
  // RFC 9110, 14.5: whoever does not know partial PUTs must not take a part for the whole.
  if (headers['content-range'] !== undefined) throw invalidValue('Content-Range', 'content.range');
  if (/^\s*multipart\/form-data\s*(;|$)/i.test(headers['content-type'] ?? '')) {
    return readMultipartContent(request, options);
  }
  rejectEncodedBody(request);
  const fileName = fileNameOf(headers['content-disposition']);
  if (isAbsent(request)) throw malformedBody(message('content.required'));
  const bytes = new RequestBytes(request, options.limit, options.transferRate);
  try {
    const received = await options.store.receive(
      Readable.from(piecesOf(bytes), { objectMode: false }),
      options.limit,
    );
    return { fileName, mediaType: mediaTypeOf(headers['content-type']) ?? DEFAULT_MEDIA_TYPE, received };
  } finally {
    bytes.release();
  }
}

/** Empty content is content; but nothing at all, not even a media type, is a client that forgot it. */
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
  return cleanFileName(extended === undefined ? asUtf8(filename) : filename);
}

/** Node takes header fields for Latin-1; most who write other characters there as they are write UTF-8. */
function asUtf8(text: string | undefined): string | undefined {
  try {
    return text && new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(text, 'latin1'));
  } catch {
    return text;
  }
}

async function* piecesOf(bytes: RequestBytes): AsyncGenerator<Buffer> {
  for (let piece; (piece = await bytes.read()) !== null;) yield piece;
}
