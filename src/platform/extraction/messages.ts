import { type ExtractionLimits } from './extraction-limits.js';
import {
  EXTRACTION_FAILURES,
  type Extraction,
  type ExtractionRequest,
  type FileMetadata,
} from './extractor.js';
import { type PreviewFailure, type PreviewSize } from './previewer.js';

/** Descriptor of the channel between reading process and service: JSON messages, one per line, in both directions. */
export const CHANNEL_DESCRIPTOR = 3;
/** Descriptor of the input file in a reading process, which may not open files itself. */
export const FILE_DESCRIPTOR = 4;

/** Maximum size of a message from a reading process, in bytes. */
export const MAX_MESSAGE = 64 * 1024;
/** Maximum UTF-16 units of text in one message. In JSON, a unit needs up to six bytes. */
export const TEXT_CHUNK = 10_000;
/** Bytes of a picture in one message: 60,000 characters in base64. */
export const PICTURE_CHUNK = 45_000;
/** Maximum length of the details for the log, in UTF-16 units. */
export const MAX_DETAIL = 1000;

/** Request to a reading process to read its input file. One at a time. */
export interface ReadingJob {
  readonly job: number;
  /** Size of the file in bytes. */
  readonly size: number;
  readonly hints: Pick<ExtractionRequest, 'fileName' | 'claimedType'>;
  readonly limits: ExtractionLimits;
  /** Languages of OCR; null without it. */
  readonly ocr: string | null;
  /** The page to render, instead of reading text; null to read. */
  readonly preview: PreviewSize | null;
}

export type ReadingMessage =
  | { readonly kind: 'ready' }
  | FileMessage
  /** The file cannot be read, for a reason that is independent of its bytes. */
  | { readonly kind: 'error'; readonly job: number; readonly message: string };

/** What a process has found in its file. */
export type FileMessage =
  | { readonly kind: 'metadata'; readonly job: number; readonly metadata: FileMetadata }
  | { readonly kind: 'text'; readonly job: number; readonly text: string }
  /** Recognised text for a place in the text before. */
  | {
      readonly kind: 'recognised';
      readonly job: number;
      readonly text: string;
      /** Offset in the text of all messages `text`; null continues the last recognised text. */
      readonly at: number | null;
      readonly page: number;
    }
  | {
      readonly kind: 'done';
      readonly job: number;
      readonly extraction: Omit<Extraction, 'text' | 'recognisedPages'>;
      readonly detail: string | null;
      /** Total processor time of the process since its start, in seconds. */
      readonly cpuSeconds: number;
    }
  /** A piece of the picture, in base64. */
  | { readonly kind: 'image'; readonly job: number; readonly data: string }
  | {
      readonly kind: 'rendered';
      readonly job: number;
      readonly failure: PreviewFailure | null;
      /** As the bytes show it, for `Unsupported`. */
      readonly mediaType: string | null;
      /** Number of pages of the file, if it is known. */
      readonly pages: number | null;
      readonly isLegible: boolean;
      readonly detail: string | null;
      readonly cpuSeconds: number;
    };

const MEDIA_TYPE = /^[a-z0-9!#$&^_.+-]{1,127}\/[a-z0-9!#$&^_.+-]{1,127}$/;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
const PREVIEW_FAILURES: readonly PreviewFailure[] = [...EXTRACTION_FAILURES, 'Unsupported', 'WithoutPage'];
/** Maximum of the database columns for these numbers. */
const MAX_COUNT = 2_147_483_647;

export const UNKNOWN_METADATA: FileMetadata = {
  mediaType: 'application/octet-stream',
  pageCount: null,
  image: null,
};

/** Maximum bytes that a reading process may send for one file. In JSON, a unit of normalised text needs up to three. */
export function maxBytesOf({ text }: ExtractionLimits): number {
  return 3 * text + 1024 * 1024;
}

/**
 * Parses and validates a line from the channel; null if it is invalid. A process that reads hostile files may send
 * anything.
 */
export function readMessage(line: string): ReadingMessage | null {
  const message = Buffer.byteLength(line) > MAX_MESSAGE ? null : parse(line);
  if (!isRecord(message)) return null;
  const { kind, job, text, message: reason } = message;
  if (kind === 'ready') return { kind };
  if (typeof job !== 'number') return null;
  if (kind === 'error') return isText(reason) ? { kind, job, message: reason.slice(0, MAX_DETAIL) } : null;
  if (kind === 'metadata') {
    const metadata = readMetadata(message.metadata);
    return metadata && { kind, job, metadata };
  }
  if (kind === 'text') return isText(text) ? { kind, job, text } : null;
  if (kind === 'recognised') {
    const { at, page } = message;
    if (!isText(text) || !isCount(page) || !(at === null || at === 0 || isCount(at))) return null;
    return { kind, job, text, at, page };
  }
  if (kind === 'image')
    return isText(message.data) && BASE64.test(message.data) ? { kind, job, data: message.data } : null;
  const { cpuSeconds } = message;
  const detail = isText(message.detail) ? message.detail.slice(0, MAX_DETAIL) : null;
  if (typeof cpuSeconds !== 'number') return null;
  if (kind === 'rendered') {
    const { failure, mediaType, pages, isLegible } = message;
    if (!isFailure(failure, PREVIEW_FAILURES)) return null;
    if (!(mediaType === null || isMediaType(mediaType))) return null;
    if (!(pages === null || isCount(pages)) || typeof isLegible !== 'boolean') return null;
    return { kind, job, failure, mediaType, pages, isLegible, detail, cpuSeconds };
  }
  if (kind !== 'done' || !isRecord(message.extraction)) return null;
  const metadata = readMetadata(message.extraction);
  const { failure } = message.extraction;
  if (!metadata || !isFailure(failure, EXTRACTION_FAILURES)) return null;
  return { kind, job, extraction: { ...metadata, failure }, detail, cpuSeconds };
}

function readMetadata(value: unknown): FileMetadata | null {
  if (!isRecord(value)) return null;
  const { mediaType, pageCount, image } = value;
  if (!isMediaType(mediaType)) return null;
  if (!(pageCount === null || isCount(pageCount))) return null;
  if (image === null) return { mediaType, pageCount, image };
  if (!isRecord(image) || !isCount(image.width) || !isCount(image.height)) return null;
  return { mediaType, pageCount, image: { width: image.width, height: image.height } };
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isFailure<F>(value: unknown, known: readonly F[]): value is F | null {
  return value === null || known.includes(value as F);
}

function isMediaType(value: unknown): value is string {
  return isText(value) && MEDIA_TYPE.test(value);
}

function isCount(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) > 0 && (value as number) <= MAX_COUNT;
}

const LINE_FEED = 0x0a;

/** Splits received bytes into UTF-8 lines. Node's readline also splits at U+2028, which JSON does not escape. */
export class LineSplitter {
  #rest: Buffer = Buffer.alloc(0);

  /** Number of bytes of the incomplete last line. */
  get pending(): number {
    return this.#rest.length;
  }

  /** @returns the lines that this chunk completes */
  push(chunk: Buffer): string[] {
    const lines: string[] = [];
    let rest = Buffer.concat([this.#rest, chunk]);
    for (let end = rest.indexOf(LINE_FEED); end >= 0; end = rest.indexOf(LINE_FEED)) {
      lines.push(rest.toString('utf8', 0, end));
      rest = rest.subarray(end + 1);
    }
    this.#rest = rest;
    return lines;
  }
}
