import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { MIMEType } from 'node:util';
import { parse as parseDisposition } from 'content-disposition';
import { message } from '../../../common/messages/message.js';
import { invalidValue, malformedBody, Problem } from '../../../common/problem.js';
import { normalizeText } from '../../../common/text.js';
import type { ContentStore, ReceivedContent } from '../../content/content-store.js';
import type { TransferRate } from './transfer-rate.js';
import type { ByteReservation } from './bytes-in-flight.js';
import { decodeJson } from './json-body.js';
import { type MultipartPart, MultipartReader } from './multipart-reader.js';
import { RequestBytes, rejectEncodedBody } from './request-bytes.js';

const MAX_DOCUMENT_BYTES = 1024 * 1024;
/** Maximum size of all unknown parts together. */
const MAX_IGNORED_BYTES = 1024 * 1024;
const MAX_PARTS = 10;
/** Maximum size of a request in addition to its content: the parts above, delimiters and headers. */
const MAX_OVERHEAD_BYTES = MAX_DOCUMENT_BYTES + MAX_IGNORED_BYTES + 256 * 1024;
const MAX_FILE_NAME = 255;
const MAX_MEDIA_TYPE = 255;
export const DEFAULT_MEDIA_TYPE = 'application/octet-stream';
/** Control characters, line separators, and bidirectional controls (which can show `gpj.exe` as `exe.jpg`). */
const UNWANTED_IN_NAMES = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;
/**
 * A quote within a file name, in the form of RFC 9110. Browsers write `%22` instead, and a backslash for itself, so
 * the quote at the end of a parameter is not one.
 */
const ESCAPED_QUOTE = /\\"(?!\s*(?:$|;\s*[\w*-]+=))/g;

export interface UploadedContent {
  /** File name without folders; null when the client sends none. */
  readonly fileName: string | null;
  /** Media type that the client declares, in lower case and without parameters. The bytes have not been checked. */
  readonly mediaType: string;
  readonly received: ReceivedContent;
}

export interface MultipartUpload {
  /** JSON text, not parsed. */
  readonly document: string;
  /** The caller of the function must keep or discard it. */
  readonly content: UploadedContent | null;
}

export interface ContentOptions {
  readonly store: Pick<ContentStore, 'receive' | 'discard'>;
  /** Maximum size of the content in bytes. */
  readonly limit: number;
  readonly transferRate: TransferRate;
  /** Called with the name of each unknown part, which is ignored. */
  readonly onUnknownPart?: (name: string) => void;
}

interface UploadOptions extends ContentOptions {
  /** Counts the bytes of the part `document`. */
  readonly reservation: ByteReservation;
  /** Called with the text of the part `document` before any content is stored. An exception ends the upload. */
  readonly onDocument: (text: string) => void | Promise<void>;
}

/**
 * Reads a `multipart/form-data` request (RFC 7578) with the JSON part `document`, followed by the optional file part
 * `content`. Other parts are ignored. An empty `content` with an empty file name counts as no content: HTML forms
 * send it when no file is chosen.
 *
 * If reading fails, no temporary file stays in the store, and the connection can still carry the response.
 *
 * @throws Problem 400, 413, 415, and what the store and `onDocument` throw
 */
export async function readMultipartUpload(
  request: IncomingMessage,
  options: UploadOptions,
): Promise<MultipartUpload> {
  const { document, content } = await readParts(request, options, options);
  // No content to discard: `content` before `document` has already been rejected.
  if (document === null) throw invalidValue('document', 'value.required');
  return { document, content };
}

/**
 * Reads a `multipart/form-data` request with the required file part `content`. Other parts are ignored.
 *
 * @throws Problem 400, 413, 415, and what the store throws
 */
export async function readMultipartContent(
  request: IncomingMessage,
  options: ContentOptions,
): Promise<UploadedContent> {
  const { content } = await readParts(request, options, null);
  if (content === null) throw invalidValue('content', 'value.required');
  return content;
}

/** @param documents how to handle the part `document`; null ignores it */
async function readParts(
  request: IncomingMessage,
  options: ContentOptions,
  documents: Pick<UploadOptions, 'onDocument' | 'reservation'> | null,
): Promise<{ document: string | null; content: UploadedContent | null }> {
  rejectEncodedBody(request);
  const bytes = new RequestBytes(request, options.limit, options.transferRate, MAX_OVERHEAD_BYTES);
  let content: UploadedContent | null = null;
  try {
    const reader = new MultipartReader(() => bytes.read(), boundaryOf(request));
    const seen = new Set<string>();
    let document: string | null = null;
    let count = 0;
    let ignored = 0;
    for (let part; (part = await reader.nextPart()) !== null;) {
      if (++count > MAX_PARTS) throw invalidValue('$', 'multipart.max-parts', { max: MAX_PARTS });
      const { name, fileName } = nameOf(part);
      const isDocument = documents !== null && name === 'document';
      if (isDocument || name === 'content') {
        if (seen.has(name)) throw invalidValue(name, 'value.given-twice');
        seen.add(name);
        refuseTransferEncoding(name, part);
      }
      if (isDocument) {
        document = await readDocument(part, documents.reservation);
        await documents.onDocument(document);
      } else if (name === 'content') {
        if (documents !== null && document === null) throw invalidValue('content', 'multipart.order');
        content = {
          fileName: cleanFileName(fileName),
          mediaType: mediaTypeOf(part.headers.get('content-type')) ?? DEFAULT_MEDIA_TYPE,
          received: await options.store.receive(
            Readable.from(part.body, { objectMode: false }),
            options.limit,
          ),
        };
        if (fileName === '' && content.received.size === 0) {
          await options.store.discard(content.received);
          content = null;
        }
      } else {
        options.onUnknownPart?.(name);
        for await (const chunk of part.body) {
          ignored += chunk.length;
          if (ignored > MAX_IGNORED_BYTES) {
            throw new Problem('request.too-large', { detail: message('multipart.unknown-parts') });
          }
        }
      }
    }
    return { document, content };
  } catch (error) {
    // Report the original error even if discarding fails. The content sweep then deletes the bytes.
    if (content) await options.store.discard(content.received).catch(() => undefined);
    throw error;
  } finally {
    bytes.release();
  }
}

function boundaryOf(request: IncomingMessage): string {
  const type = parseMediaType(request.headers['content-type']);
  if (type?.essence !== 'multipart/form-data') {
    throw new Problem('request.unsupported-media-type', { detail: message('multipart.media-type') });
  }
  const boundary = type.params.get('boundary');
  if (!boundary) throw malformedBody(message('multipart.boundary-required'));
  return boundary;
}

function nameOf(part: MultipartPart): { name: string; fileName: string | undefined } {
  const header = part.headers.get('content-disposition') ?? '';
  const disposition = parseDisposition(header.replace(ESCAPED_QUOTE, '%22'), { multipart: true });
  const { name, filename: fileName } = disposition.parameters;
  if (disposition.type !== 'form-data' || !name) {
    throw malformedBody(message('multipart.name'));
  }
  return { name, fileName };
}

/** Content-Transfer-Encoding is deprecated (RFC 7578, 4.7). Base64 would be stored undecoded. */
function refuseTransferEncoding(name: string, part: MultipartPart): void {
  const encoding = part.headers.get('content-transfer-encoding')?.toLowerCase() ?? 'binary';
  if (!['7bit', '8bit', 'binary'].includes(encoding)) {
    throw invalidValue(name, 'multipart.transfer-encoding');
  }
}

async function readDocument(part: MultipartPart, reservation: ByteReservation): Promise<string> {
  // Clients that cannot set the type of a part send none, or text/plain, which is the default.
  const type = mediaTypeOf(part.headers.get('content-type')) ?? 'text/plain';
  if (!['application/json', 'text/plain'].includes(type)) {
    throw invalidValue('document', 'multipart.document-media-type');
  }
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of part.body) {
    size += chunk.length;
    if (size > MAX_DOCUMENT_BYTES) {
      throw new Problem('request.too-large', {
        detail: message('multipart.document-max-bytes', { max: MAX_DOCUMENT_BYTES }),
      });
    }
    reservation.grow(size);
    chunks.push(chunk);
  }
  return decodeJson(Buffer.concat(chunks), 'document');
}

function parseMediaType(text: string | undefined): MIMEType | null {
  try {
    return text === undefined || text.length > 1024 ? null : new MIMEType(text);
  } catch {
    return null;
  }
}

/** Null if the header is missing, invalid or a range such as `image/*`. */
export function mediaTypeOf(contentType: string | undefined): string | null {
  const essence = parseMediaType(contentType)?.essence;
  return essence && essence.length <= MAX_MEDIA_TYPE && !essence.includes('*') ? essence : null;
}

/** Null if nothing is left. Some clients send a full local path: only its last part counts. */
export function cleanFileName(name: string | undefined): string | null {
  const base = (name ?? '').split(/[/\\]/).at(-1) ?? '';
  const clean = normalizeText(base.toWellFormed()).replace(UNWANTED_IN_NAMES, '').trim();
  const short = Array.from(clean).slice(0, MAX_FILE_NAME).join('').trim();
  return short === '' || short === '.' || short === '..' ? null : short;
}
