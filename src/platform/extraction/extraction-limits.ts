import { type Configuration } from '../config/configuration.js';

/** What reading one file may take. */
export interface ExtractionLimits {
  readonly timeMs: number;
  /** Resident memory of the whole process, in bytes. */
  readonly memory: number;
  /** Bytes that may come out of decompressing. */
  readonly decompressed: number;
  /** Characters (UTF-16 units) of text that are kept. */
  readonly text: number;
}

const MIB = 1024 * 1024;

/**
 * Documents of ordinary size stay far below all of these. A file that exceeds one is stored without text, or with the
 * first part of it, so that no operator has to raise them for an upload to succeed.
 */
export const EXTRACTION_LIMITS: ExtractionLimits = {
  timeMs: 60_000,
  memory: 512 * MIB,
  decompressed: 256 * MIB,
  text: 2_000_000,
};

/** Optical character recognition of what has no text; null: none. */
export interface OcrSettings {
  /** tesseract's names of languages, joined by `+`. */
  readonly languages: string;
}

export function ocrOf({ ocr, ocrLanguages }: Configuration): OcrSettings | null {
  return ocr === 'tesseract' ? { languages: ocrLanguages } : null;
}
