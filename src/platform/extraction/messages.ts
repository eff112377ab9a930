import { type ExtractionLimits, type OcrSettings } from './extraction-limits.js';
import {
  type Extraction,
  type ExtractionFailure,
  type ExtractionRequest,
  type FileMetadata,
} from './extractor.js';

/** Where a reading process has the channel to the service: messages in JSON, one a line, in both directions. */
export const CHANNEL_DESCRIPTOR = 3;
/** Where a reading process has the file that it reads: it cannot open any. */
export const FILE_DESCRIPTOR = 4;

/** Most bytes of a message from a reading process. */
export const MAX_MESSAGE = 64 * 1024;
/** UTF-16 units of text in one message; in JSON, a unit takes up to six bytes. */
export const TEXT_CHUNK = 10_000;
/** Characters of what is for the log. */
export const MAX_DETAIL = 1000;

/** To a reading process: look into the file. One at a time. */
export interface ReadingJob {
  readonly job: number;
  /** In bytes. */
  readonly size: number;
  readonly hints: Pick<ExtractionRequest, 'fileName' | 'claimedType'>;
  readonly limits: ExtractionLimits;
  readonly ocr: OcrSettings | null;
}

/** From a reading process. */
export type ReadingMessage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'metadata'; readonly job: number; readonly metadata: FileMetadata }
  /** The next piece of the text. */
  | { readonly kind: 'text'; readonly job: number; readonly text: string }
  | {
      readonly kind: 'done';
      readonly job: number;
      readonly extraction: Omit<Extraction, 'text'>;
      /** What lies behind a failure, for the log; a library's words. */
      readonly detail: string | null;
      /** Processor time that the process has used in all its life, in seconds. */
      readonly cpuSeconds: number;
    }
  /** The file cannot be opened or read, whatever its bytes are. */
  | { readonly kind: 'error'; readonly job: number; readonly message: string };

const MEDIA_TYPE = /^[a-z0-9!#$&^_.+-]{1,127}\/[a-z0-9!#$&^_.+-]{1,127}$/;
const FAILURES: readonly string[] = [
  'Encrypted',
  'Corrupted',
  'TimeLimitExceeded',
  'MemoryLimitExceeded',
  'OutputLimitExceeded',
] satisfies ExtractionFailure[];
/** As large as the columns that these end in. */
const MAX_COUNT = 2_147_483_647;

export const UNKNOWN_METADATA: FileMetadata = {
  mediaType: 'application/octet-stream',
  pageCount: null,
  image: null,
};

/** Most bytes that a reading process may send for one file: in JSON, a unit of normalised text takes up to three. */
export function maxBytesOf({ text }: ExtractionLimits): number {
  return 3 * text + 1024 * 1024;
}

/**
 * A line that came over the channel, as far as it has the agreed form; null otherwise. A process that reads hostile
 * files may say anything, so nothing of it is taken on trust.
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
  if (kind !== 'done' || typeof message.cpuSeconds !== 'number' || !isRecord(message.extraction)) return null;
  const metadata = readMetadata(message.extraction);
  const { failure } = message.extraction;
  const detail = isText(message.detail) ? message.detail.slice(0, MAX_DETAIL) : null;
  if (!metadata || !(failure === null || (isText(failure) && FAILURES.includes(failure)))) return null;
  return {
    kind,
    job,
    extraction: { ...metadata, failure: failure as ExtractionFailure | null },
    detail,
    cpuSeconds: message.cpuSeconds,
  };
}

function readMetadata(value: unknown): FileMetadata | null {
  if (!isRecord(value)) return null;
  const { mediaType, pageCount, image } = value;
  if (!isText(mediaType) || !MEDIA_TYPE.test(mediaType)) return null;
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

function isCount(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) > 0 && (value as number) <= MAX_COUNT;
}
