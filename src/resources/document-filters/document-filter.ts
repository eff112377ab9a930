import { type MetadataCondition } from './metadata-condition.js';

/** What documents are looked for by; all of it must hold. */
export interface DocumentFilter {
  readonly documentTypeId: string | null;
  readonly fileId: string | null;
  readonly tagIds: readonly string[];
  /** Values as they were sent, trimmed and in NFC; null for IsEmpty and IsNotEmpty, and for no others. */
  readonly metadataConditions: readonly MetadataCondition[];
}

/** The filter that lets everything pass. */
export const NO_FILTER: DocumentFilter = {
  documentTypeId: null,
  fileId: null,
  tagIds: [],
  metadataConditions: [],
};
