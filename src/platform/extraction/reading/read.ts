import { type ExtractionLimits, type OcrSettings } from '../extraction-limits.js';
import { type Extraction, type ExtractionFailure, type Known } from '../extractor.js';
import { UNKNOWN } from '../messages.js';
import { ExtractionError } from './extraction-error.js';
import { FileReader } from './file-reader.js';
import { type Source, SourceFault } from './source.js';
import { type Hints } from './text-media-type.js';
import { TextOutput } from './text-output.js';

/**
 * Reads one file.
 *
 * @param onKnown told what is known, each time that more is; the last word of a reading that has to be ended
 * @throws SourceFault, or another error that says nothing about the bytes
 */
export async function read(
  source: Source,
  hints: Hints,
  limits: ExtractionLimits,
  ocr: OcrSettings | null,
  onKnown: (known: Known) => void,
): Promise<{ extraction: Extraction; detail: string | null }> {
  const output = new TextOutput(limits.text);
  let known = UNKNOWN;
  const reader = new FileReader(output, limits, ocr, (more) => {
    known = more;
    onKnown(more);
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
  return { extraction: { ...known, text, failure }, detail };
}

/** @throws what says nothing about the bytes */
function failureOf(error: unknown): ExtractionFailure {
  if (error instanceof SourceFault || isOfSystem(error)) throw error;
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
function isOfSystem(error: unknown): boolean {
  const { code = '', syscall } = (error ?? {}) as NodeJS.ErrnoException;
  return syscall !== undefined || /^ERR_(?:MODULE_NOT_FOUND|DLOPEN_FAILED|ACCESS_DENIED)$/.test(code);
}
