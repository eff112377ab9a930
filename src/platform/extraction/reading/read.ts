import { type ExtractionLimits, type OcrSettings } from '../extraction-limits.js';
import { type Extraction, type ExtractionFailure, type FileMetadata } from '../extractor.js';
import { UNKNOWN_METADATA } from '../messages.js';
import { failureOf } from './failure.js';
import { FileReader } from './file-reader.js';
import { type Source } from './source.js';
import { type Hints } from './text-media-type.js';
import { TextOutput, type TextReceiver } from './text-output.js';

/**
 * Reads one file.
 *
 * @param onMetadata called with all known metadata whenever more is found; the last value is used if the reading is
 *   ended early
 * @param receiver gets the text when all of it is read, or before images are recognised; none if it fails before
 * @throws SourceReadError or another error that was not caused by the file
 */
export async function read(
  source: Source,
  hints: Hints,
  limits: ExtractionLimits,
  ocr: OcrSettings | null,
  onMetadata: (metadata: FileMetadata) => void,
  receiver: TextReceiver,
): Promise<{ extraction: Omit<Extraction, 'text' | 'recognisedPages'>; detail: string | null }> {
  const output = new TextOutput(limits.text, receiver);
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
  return { extraction: { ...metadata, failure }, detail };
}
