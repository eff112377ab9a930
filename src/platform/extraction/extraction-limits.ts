export interface ExtractionLimits {
  readonly timeMs: number;
  /** Resident memory of the whole process, in bytes. */
  readonly memory: number;
  /** Decompressed bytes. */
  readonly decompressed: number;
  /** Stored text, in UTF-16 units. */
  readonly text: number;
}

const MIB = 1024 * 1024;

/**
 * Ordinary documents stay far below these limits. A file that exceeds one is still stored, without text or with only the
 * first part of it, so no operator has to raise the limits for an upload to succeed.
 */
export const EXTRACTION_LIMITS: ExtractionLimits = {
  timeMs: 60_000,
  memory: 512 * MIB,
  decompressed: 256 * MIB,
  text: 2_000_000,
};

/** A preview is for the screen of a reader who waits for it. */
export const PREVIEW_LIMITS: ExtractionLimits = { ...EXTRACTION_LIMITS, timeMs: 15_000, text: 0 };

/** Processes that render previews, in each instance. */
export const PREVIEW_PROCESSES = 2;
