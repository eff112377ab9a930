/** Work that is done by itself after the commit, by task, with its payload. Adding one is adding a line here. */
export interface JobPayloads {
  /** Looks into a document's content: `version` is the number of the version that was the newest. */
  ProcessDocument: { documentId: string; version: number };
}

export type JobTask = keyof JobPayloads;
