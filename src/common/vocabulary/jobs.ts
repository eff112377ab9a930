import { type SentMailMode } from './mail-modes.js';

/** Payloads of all jobs, by task. Jobs run after the commit of the transaction that enqueues them. */
export interface JobPayloads {
  /** Extracts metadata and text from a document's content. `version`: number of the newest version at that time. */
  ProcessDocument: { documentId: string; version: number };
  /** Packs an export. */
  PackExport: { exportId: string };
  SendInvitationMail: { invitationId: string };
  /** Sends a member the mail about notifications that is due in this mode. */
  SendNotificationMail: { userId: string; mode: SentMailMode };
  /** Carries out an approved disposal. */
  ExecuteDisposal: { disposalId: string };
  /** Adds the words of changed documents to the lexicon of the tenant, and removes those that no document has. */
  UpdateLexicon: Record<string, never>;
}

export type JobTask = keyof JobPayloads;

interface JobKind<T extends JobTask> {
  /** Deduplication key: a job is not added if a job with the same key is waiting. */
  readonly key: (payload: JobPayloads[T], tenantId: string) => string;
  /**
   * Maximum number of attempts. After the n-th failure, the job waits exp(n) seconds: 3, 7, 20, 55, 148, 403, 1097 …
   */
  readonly attempts: number;
  /** Whether it runs before the other jobs of the tenant, unless it is added with a time. */
  readonly isFirst?: boolean;
}

/** About 28 hours in total, longer than most mail servers are down. */
const MAIL_ATTEMPTS = 14;

export const JOBS: { readonly [T in JobTask]: JobKind<T> } = {
  // Half an hour in total: the longest delay of a document because of an error of the service.
  ProcessDocument: { key: ({ documentId, version }) => `${documentId}:${version}`, attempts: 8 },
  // A failed attempt begins again. Half a minute in total.
  PackExport: { key: ({ exportId }) => exportId, attempts: 4 },
  // First, because the invited person waits for it.
  SendInvitationMail: { key: ({ invitationId }) => invitationId, attempts: MAIL_ATTEMPTS, isFirst: true },
  SendNotificationMail: {
    key: ({ userId, mode }, tenantId) => `${tenantId}:${userId}:${mode}`,
    attempts: MAIL_ATTEMPTS,
  },
  ExecuteDisposal: { key: ({ disposalId }) => disposalId, attempts: 20 },
  // A task adds the job again while there is work left. First, because otherwise an import would delay it until its end.
  UpdateLexicon: { key: (_, tenantId) => tenantId, attempts: 8, isFirst: true },
};

export function jobKey<T extends JobTask>(task: T, payload: JobPayloads[T], tenantId: string): string {
  return `${task}:${JOBS[task].key(payload, tenantId)}`;
}
