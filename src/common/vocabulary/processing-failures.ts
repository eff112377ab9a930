/** Why the content of a document could not be read; its uploader is told, and its version remembers (docs/adr/0019). */
export const PROCESSING_FAILURES = [
  'Encrypted',
  'Corrupted',
  'TimeLimitExceeded',
  'MemoryLimitExceeded',
  'OutputLimitExceeded',
  /** All attempts to read it failed for a reason that says nothing about the bytes, such as a process that died. */
  'Unreadable',
  /** The store has lost the bytes, or has others. */
  'ContentDamaged',
  /** All attempts failed for other reasons of the service's own, such as a store that does not answer. */
  'ContentUnavailable',
] as const;

export type ProcessingFailure = (typeof PROCESSING_FAILURES)[number];
