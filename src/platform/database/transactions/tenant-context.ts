/** What a request carries that the transaction has to honour (docs/adr/0006). */
export interface RequestConditions {
  /** The If-Match header as sent. */
  readonly ifMatch?: string;
  readonly idempotency?: IdempotencyRequest;
}

/** One Idempotency-Key with what it was sent for. */
export interface IdempotencyRequest {
  readonly operation: string;
  readonly key: string;
  /** Hash of all that makes the request what it is: two requests with the same fingerprint are the same. */
  readonly fingerprint: string;
  /** Members of the answer that are shown once and so are not stored. */
  readonly secrets: readonly string[];
  /** What a repeated key with another request is answered with. */
  readonly onMismatch: 'request.idempotency-conflict' | 'request.idempotency-key-reused';
}

/** Runs one statement in a transaction that is under way. */
export type RunQuery = <R extends object>(text: string, values: readonly unknown[]) => Promise<R[]>;

/**
 * For whom a transaction runs: the one thing without which there is no transaction. `accessVersion` is the version
 * that the caller's rights were read at; null where no rights are involved (the service's own work).
 */
export interface TenantContext {
  readonly tenantId: string;
  readonly actorId: string | null;
  readonly actorName: string | null;
  readonly accessVersion: number | null;
  readonly conditions?: RequestConditions;
  /** Called after a round trip has shown that the remembered rights still hold. */
  confirm?(): void;
  /** Reads the caller's rights anew and checks them again; throws the refusal when they are gone. */
  revalidate?(): Promise<void>;
  /** The same inside a transaction, as it sees them. */
  reloadRights?(query: RunQuery): Promise<void>;
}

/** For whom rows of all tenants are read: see `UnitOfWork.readForUser`. */
export interface UserContext {
  readonly userId: string;
  /** Of the address that the token of the request vouches for; null without one. */
  readonly emailKey: string | null;
}
