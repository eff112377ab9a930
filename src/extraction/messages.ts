import { type Extraction, type ExtractionFailure, type ExtractionRequest, type Known } from './extractor.js';
import { type ExtractionLimits, type OcrSettings } from './extraction-limits.js';

/** Where a reading process has the file that it reads: it cannot open any. */
export const FILE_DESCRIPTOR = 4;

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
  | { readonly kind: 'known'; readonly job: number; readonly known: Known }
  | {
      readonly kind: 'done';
      readonly job: number;
      readonly extraction: Extraction;
      /** What lies behind a failure, for the log; a library's words. */
      readonly detail: string | null;
      /** Processor time that the process has used in all its life, in seconds. */
      readonly cpuSeconds: number;
    }
  /** The file cannot be opened or read, whatever its bytes are. */
  | { readonly kind: 'fault'; readonly job: number; readonly message: string };

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

export const UNKNOWN: Known = { mediaType: 'application/octet-stream', pageCount: null, image: null };

/**
 * What came over the channel, as far as it has the agreed form; null otherwise. A process that reads hostile files
 * may say anything, so nothing of it is taken on trust.
 */
export function readMessage(message: unknown, limits: ExtractionLimits): ReadingMessage | null {
  if (!isRecord(message)) return null;
  const { kind, job } = message;
  if (kind === 'ready') return { kind };
  if (typeof job !== 'number') return null;
  if (kind === 'fault') return { kind, job, message: String(message.message).slice(0, 1000) };
  if (kind === 'known') {
    const known = readKnown(message.known);
    return known && { kind, job, known };
  }
  if (kind !== 'done' || typeof message.cpuSeconds !== 'number' || !isRecord(message.extraction)) return null;
  const known = readKnown(message.extraction);
  const { text, failure } = message.extraction;
  const detail = typeof message.detail === 'string' ? message.detail.slice(0, 500) : null;
  if (!known || !(text === null || (typeof text === 'string' && text.length <= limits.text))) return null;
  if (!(failure === null || (typeof failure === 'string' && FAILURES.includes(failure)))) return null;
  return {
    kind,
    job,
    extraction: { ...known, text, failure: failure as ExtractionFailure | null },
    detail,
    cpuSeconds: message.cpuSeconds,
  };
}

function readKnown(value: unknown): Known | null {
  if (!isRecord(value)) return null;
  const { mediaType, pageCount, image } = value;
  if (typeof mediaType !== 'string' || !MEDIA_TYPE.test(mediaType)) return null;
  if (!(pageCount === null || isCount(pageCount))) return null;
  if (image === null) return { mediaType, pageCount, image };
  if (!isRecord(image) || !isCount(image.width) || !isCount(image.height)) return null;
  return { mediaType, pageCount, image: { width: image.width, height: image.height } };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function isCount(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) > 0 && (value as number) <= MAX_COUNT;
}
