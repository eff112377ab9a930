/** Why an export failed. Stored with the export; its creator is notified. */
export const EXPORT_FAILURES = [
  /** More documents, contents or bytes than an export can have. */
  'TooLarge',
  'StorageLimitExceeded',
  /** The creator has lost `exports.create`. */
  'NotPermitted',
  /** The bytes of a content in the store are missing or have changed. */
  'ContentDamaged',
  /** All attempts failed because of the service. */
  'ServiceError',
] as const;

export type ExportFailure = (typeof EXPORT_FAILURES)[number];
