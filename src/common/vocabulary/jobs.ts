/** Work that is done by itself after the commit, by task, with its payload. Adding one is adding a line here. */
export interface JobPayloads {
  /** Looks into a document's content: `version` is the number of the version that was the newest. */
  ProcessDocument: { documentId: string; version: number };
}

export type JobTask = keyof JobPayloads;

interface JobKind<T extends JobTask> {
  /** What makes two jobs of the task the same: one that waits already is not added again. */
  readonly key: (payload: JobPayloads[T]) => string;
  /** How often it is tried. After the n-th failure it waits exp(n) seconds: 3, 7, 20, 55, 148, 403, 1097 … */
  readonly attempts: number;
}

export const JOBS: { readonly [T in JobTask]: JobKind<T> } = {
  // Half an hour in all: as long as a document may be held up by a fault of ours.
  ProcessDocument: { key: ({ documentId, version }) => `${documentId}:${version}`, attempts: 8 },
};

/** Names a job in the queue. */
export function jobKey<T extends JobTask>(task: T, payload: JobPayloads[T]): string {
  return `${task}:${JOBS[task].key(payload)}`;
}
