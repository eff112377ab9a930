import { hash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { type RelatedIds } from '../../../../common/vocabulary/audit.js';
import { type AuditEntryEntity } from '../../../../platform/recording/audit-entry.entity.js';

export type AuditEntry = Omit<AuditEntryEntity, 'tenantId'>;

/** Bytes of the random salt of each entry. Without it, short texts could be guessed from their hash. */
export const SALT_BYTES = 16;

/** What the hash `text` of a leaf stands for. */
export interface Opening {
  /** Base64. */
  readonly salt: string;
  readonly actorName: string | null;
  readonly contentVersion: number | null;
  readonly related: RelatedIds;
  readonly summary: string | null;
}

/** The leaf of an entry: canonical JSON (RFC 8785). */
export function leafOf(entry: AuditEntry, salt: Buffer): string {
  const { id, occurredAt, actorId, action, subjectType, subjectId } = entry;
  const text = textHash(openingOf(entry, salt));
  return canonicalJson({ v: 1, id, occurredAt, actorId, action, subjectType, subjectId, text });
}

export function openingOf(entry: AuditEntry, salt: Buffer): Opening {
  const { actorName, contentVersion, related, summary } = entry;
  return { salt: salt.toString('base64'), actorName, contentVersion, related, summary };
}

/** The member `text` of the leaf: base64url of a SHA-256. */
export function textHash({ salt, actorName, contentVersion, related, summary }: Opening): string {
  const text = Buffer.from(canonicalJson({ actorName, contentVersion, related, summary }));
  return hash('sha256', Buffer.concat([Buffer.from(salt, 'base64'), text]), 'base64url');
}

function canonicalJson(value: object): string {
  return canonicalize(value) as string;
}
