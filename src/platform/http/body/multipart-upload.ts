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
import { rejectEncodedBody } from './content-encoding.js';
import { decodeJson } from './json-body.js';
import { type MultipartPart, MultipartReader } from './multipart-reader.js';
import { RequestBytes } from './request-bytes.js';

const MAX_DOCUMENT_BYTES = 1024 * 1024;
/** Parts that nobody asked for, all together. */
const MAX_IGNORED_BYTES = 1024 * 1024;
const MAX_PARTS = 10;
/** What a request may be larger than its content: the above, delimiters and headers. */
const MAX_OVERHEAD_BYTES = MAX_DOCUMENT_BYTES + MAX_IGNORED_BYTES + 256 * 1024;
const MAX_FILE_NAME = 255;
const MAX_MEDIA_TYPE = 255;
export const DEFAULT_MEDIA_TYPE = 'application/octet-stream';
/** Control characters, line separators, and those that turn the direction of text (`gpj.exe` shown as `exe.jpg`). */
const UNWANTED_IN_NAMES = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

export interface UploadedContent {
  /** Without folders; null when the client gives none. */
  readonly fileName: string | null;
  /** What the client says it is, lower-case and without parameters. Nobody has looked at the bytes yet. */
  readonly mediaType: string;
  readonly received: ReceivedContent;
}

export interface MultipartUpload {
  /** JSON text, not parsed. */
  readonly document: string;
  /** In the caller's hands now: to be kept or discarded. */
  readonly content: UploadedContent | null;
}

export interface ContentOptions {
  readonly store: Pick<ContentStore, 'receive' | 'discard'>;
  /** Largest content, in bytes. */
  readonly limit: number;
  /** How slowly it may come; see {@link RequestBytes}. */
  readonly transferRate?: TransferRate;
  /** Called with the name of each part that is ignored. */
  readonly onUnknownPart?: (name: string) => void;
}

interface UploadOptions extends ContentOptions {
  /** Counts the bytes of the part `document`. */
  readonly reservation: ByteReservation;
  /** Called with the text of the part `document` before any content is stored; what it throws ends the upload. */
  readonly onDocument: (text: string) => void | Promise<void>;
}

/**
 * Reads a `multipart/form-data` request (RFC 7578) with a part `document`, JSON, and after it, unless there is no
 * content, a part `content`, the file. Other parts are ignored. A `content` that is empty and has an empty file
 * name is what an HTML form sends when no file was chosen; it counts as none.
 *
 * Whatever fails: nothing temporary stays in the store, and the connection is fit for the answer.
 *
 * @throws Problem 400, 413, 415, and what the store and `onDocument` throw
 */
export async function readMultipartUpload(
  request: IncomingMessage,
  options: UploadOptions,
): Promise<MultipartUpload> {
  const { document, content } = await readParts(request, options, options);
  // There is no content to drop: it would have had to come after the document.
  if (document === null) throw invalidValue('document', 'value.required');
  return { document, content };
}

/**
 * The same without a part `document`: of a form, the file part `content` alone.
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

/** @param documents what to do with the part `document`; null where it is ignored */
async function readParts(
  request: IncomingMessage,
  options: ContentOptions,
  documents: Pick<UploadOptions, 'onDocument' | 'reservation'> | null,
): Promise<{ document: string | null; content: UploadedContent | null }> {
  rejectEncodedBody(request);
  const bytes = new RequestBytes(request, options.limit, options.transferRate, undefined, MAX_OVERHEAD_BYTES);
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
  } catch (fault) {
    // Should discarding fail, the sweep finds it; the client should learn of the fault.
    if (content) await options.store.discard(content.received).catch(() => undefined);
    throw fault;
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
  const disposition = parseDisposition(part.headers.get('content-disposition') ?? '', { multipart: true });
  const { name, filename: fileName } = disposition.parameters;
  if (disposition.type !== 'form-data' || !name) {
    throw malformedBody(message('multipart.name'));
  }
  return { name, fileName };
}

/** RFC 7578, 4.7 deprecates it, and base64 stored as it comes would not be what the client meant. */
function refuseTransferEncoding(name: string, part: MultipartPart): void {
  const encoding = part.headers.get('content-transfer-encoding')?.toLowerCase() ?? 'binary';
  if (!['7bit', '8bit', 'binary'].includes(encoding)) {
    throw invalidValue(name, 'multipart.transfer-encoding');
  }
}

async function readDocument(part: MultipartPart, reservation: ByteReservation): Promise<string> {
  // Clients that cannot give a part a type send none, or text/plain, which is what none means.
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

/** Of a Content-Type; null when it names none. A media range is none, although a star is a character like others. */
export function mediaTypeOf(contentType: string | undefined): string | null {
  const essence = parseMediaType(contentType)?.essence;
  return essence && essence.length <= MAX_MEDIA_TYPE && !essence.includes('*') ? essence : null;
}

/** Some clients send a whole path, of their own system. */
export function cleanFileName(name: string | undefined): string | null {
  const base = (name ?? '').split(/[/\\]/).at(-1) ?? '';
  const clean = normalizeText(base.toWellFormed()).replace(UNWANTED_IN_NAMES, '').trim();
  const short = Array.from(clean).slice(0, MAX_FILE_NAME).join('').trim();
  return short === '' || short === '.' || short === '..' ? null : short;
}
