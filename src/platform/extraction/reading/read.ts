import { type ExtractionLimits, type OcrSettings } from '../extraction-limits.js';
import { type Extraction, type ExtractionFailure, type FileMetadata } from '../extractor.js';
import { MAX_RECOGNISED_PAGES, UNKNOWN_METADATA } from '../messages.js';
import { failureOf } from './failure.js';
import { FileReader } from './file-reader.js';
import { type Source } from './source.js';
import { type Hints } from './text-media-type.js';
import { TextOutput } from './text-output.js';

/**
 * Reads one file.
 *
 * @param onMetadata called with all known metadata whenever more is found; the last value is used if the reading is
 *   ended early
 * @throws SourceReadError or another error that was not caused by the file
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
  const recognisedPages = text === null ? [] : output.recognisedPages.slice(0, MAX_RECOGNISED_PAGES);
  return { extraction: { ...metadata, text, recognisedPages, failure }, detail };
}
