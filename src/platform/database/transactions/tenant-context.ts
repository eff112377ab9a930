import { type Owner } from '../../../common/shares.js';
import { type AuditAction } from '../../../common/vocabulary/audit.js';

/** Request headers that the transaction evaluates (docs/adr/0006). */
export interface RequestConditions {
  /** The If-Match header as sent. */
  readonly ifMatch?: string;
  /** The If-None-Match header as sent. */
  readonly ifNoneMatch?: string;
  readonly idempotency?: IdempotencyRequest;
}

export interface IdempotencyRequest {
  readonly operation: string;
  readonly key: string;
  /** Hash of the request: two requests with the same fingerprint are equal. */
  readonly fingerprint: string;
  /** As release 0.2.0 stored it: clients repeat requests that an upgrade has interrupted. */
  readonly formerFingerprint: string;
  /** JSON members of the answer that are secret. The stored answer omits them. */
  readonly secrets: readonly string[];
  /** Code of the problem when the same key is sent with another request. */
  readonly onMismatch: 'request.idempotency-conflict' | 'request.idempotency-key-reused';
}

export type RunQuery = <R extends object>(text: string, values: readonly unknown[]) => Promise<R[]>;

/**
 * The tenant and the actor of a transaction. Every transaction of a tenant needs one, so a transaction without a
 * tenant does not compile.
 */
export interface TenantContext {
  readonly tenantId: string;
  readonly actorId: string | null;
  readonly actorName: string | null;
  /**
   * The tenant's access version when the caller's rights were read. Null for the service's own work: no rights apply.
   */
  readonly accessVersion: number | null;
  readonly conditions?: RequestConditions;
  /** Called with the size of the rows that a round trip has read, in bytes. */
  countRead?(bytes: number): void;
  /**
   * Called with the duration of a round trip that only reads, in milliseconds. Such a round trip waits for no lock, so this
   * is the work of the database.
   */
  countReadTime?(milliseconds: number): void;
  /** Called after a commit with the actions of its audit entries. */
  recorded?(actions: readonly AuditAction[]): void;
  /** Called when a round trip has shown that the cached rights are current. */
  confirm?(): void;
  /**
   * Reloads the caller's rights and checks the permission for the operation again. Throws a 403 or 404 problem when it
   * is missing.
   *
   * @param query of an open transaction, to read the rights that it sees
   */
  revalidate?(query?: RunQuery): Promise<void>;
}

/** The user whose rows of all tenants are read (`UnitOfWork.readForUser`). */
export interface UserContext {
  readonly userId: string;
  /** Key of the verified e-mail address in the request's token; null without one. */
  readonly emailKey: string | null;
}

/** Whose share of the connections the transaction uses. */
export function ownerOf({ tenantId, actorId }: TenantContext): Owner {
  return { tenant: tenantId, caller: actorId ?? `service ${tenantId}` };
}
