import { type MetadataCondition } from './metadata-condition.js';

/** A document must meet all criteria. */
export interface DocumentFilter {
  readonly documentTypeId: string | null;
  readonly fileId: string | null;
  readonly tagIds: readonly string[];
  /** Values as sent, trimmed and in NFC. Only IsEmpty and IsNotEmpty have null. */
  readonly metadataConditions: readonly MetadataCondition[];
}

export const NO_FILTER: DocumentFilter = {
  documentTypeId: null,
  fileId: null,
  tagIds: [],
  metadataConditions: [],
};
