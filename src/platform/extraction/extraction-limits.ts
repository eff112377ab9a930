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

export function limitsOf(configuration: Configuration): ExtractionLimits {
  return {
    timeMs: configuration.extractionTimeout,
    memory: configuration.extractionMemory * MIB,
    decompressed: configuration.extractionOutput * MIB,
    text: configuration.extractionTextLimit,
  };
}

/** Optical character recognition of what has no text; null: none. */
export interface OcrSettings {
  /** tesseract's names of languages, joined by `+`. */
  readonly languages: string;
}

export function ocrOf({ ocr, ocrLanguages }: Configuration): OcrSettings | null {
  return ocr === 'tesseract' ? { languages: ocrLanguages } : null;
}
