/** Why the content of a document could not be read; its uploader is told, and its version remembers (docs/adr/0019). */
export const PROCESSING_FAILURES = [
  'Encrypted',
  'Corrupted',
  'TimeLimitExceeded',
  'MemoryLimitExceeded',
  'OutputLimitExceeded',
  /** The store has lost the bytes, or has others. */
  'ContentDamaged',
  /** All attempts failed for reasons of the service's own. */
  'ContentUnavailable',
] as const;

export type ProcessingFailure = (typeof PROCESSING_FAILURES)[number];
