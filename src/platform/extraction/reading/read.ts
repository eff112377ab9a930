import { type ExtractionLimits, type OcrSettings } from '../extraction-limits.js';
import { type Extraction, type ExtractionFailure, type FileMetadata } from '../extractor.js';
import { UNKNOWN_METADATA } from '../messages.js';
import { ExtractionError } from './extraction-error.js';
import { FileReader } from './file-reader.js';
import { type Source, SourceReadError } from './source.js';
import { type Hints } from './text-media-type.js';
import { TextOutput } from './text-output.js';

/**
 * Reads one file.
 *
 * @param onMetadata told what is known, each time that more is; the last word of a reading that has to be ended
 * @throws SourceReadError, or another error that says nothing about the bytes
 */
export async function read(
  source: Source,
  hints: Hints,
  limits: ExtractionLimits,
  ocr: OcrSettings | null,
  onMetadata: (metadata: FileMetadata) => void,
): Promise<{ extraction: Extraction; detail: string | null }> {
  const output = new TextOutput(limits.text);
  let metadata = UNKNOWN_METADATA;
  const reader = new FileReader(output, limits, ocr, (more) => {
    metadata = more;
    onMetadata(more);
  });
  let failure: ExtractionFailure | null = null;
  let detail: string | null = null;
  try {
    await reader.read(source, hints);
  } catch (error) {
    failure = failureOf(error);
    detail = String(error);
  }
  const text = failure === null ? output.finish() : null;
  return { extraction: { ...metadata, text, failure }, detail };
}

/** @throws what says nothing about the bytes */
function failureOf(error: unknown): ExtractionFailure {
  if (error instanceof SourceReadError || isSystemError(error)) throw error;
  if (error instanceof ExtractionError) return error.failure;
  // V8 has no larger strings, and node no larger buffers.
  if (
    error instanceof RangeError &&
    /Invalid (?:string|array|typed array) length|allocation/i.test(error.message)
  )
    return 'MemoryLimitExceeded';
  return 'Corrupted';
}

/** Whether a call of the system failed, or a library could not be loaded. */
function isSystemError(error: unknown): boolean {
  const { code = '', syscall } = (error ?? {}) as NodeJS.ErrnoException;
  return syscall !== undefined || /^ERR_(?:MODULE_NOT_FOUND|DLOPEN_FAILED|ACCESS_DENIED)$/.test(code);
}
