/**
 * Why processing of a document's content failed. Stored with the version; the uploader is notified (docs/adr/0019).
 */
export const PROCESSING_FAILURES = [
  'Encrypted',
  'Corrupted',
  'TimeLimitExceeded',
  'MemoryLimitExceeded',
  'OutputLimitExceeded',
  /** The format needs a program that is not configured. */
  'ConverterMissing',
  /** All attempts failed for a reason that is unrelated to the bytes, such as a crashed process. */
  'Unreadable',
  /** The bytes in the store are missing or have changed. */
  'ContentDamaged',
  /** All attempts failed because of the service, such as a content store that does not respond. */
  'ContentUnavailable',
] as const;

export type ProcessingFailure = (typeof PROCESSING_FAILURES)[number];
