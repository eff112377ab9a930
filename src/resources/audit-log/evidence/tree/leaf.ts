import { hash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { type AuditEntryEntity } from '../../../../platform/recording/audit-entry.entity.js';
import { type AuditOpeningResponse } from '../evidence.dto.js';

export type AuditEntry = Omit<AuditEntryEntity, 'tenantId'>;

/** Bytes of the random salt of each entry. Without it, short texts could be guessed from their hash. */
export const SALT_BYTES = 16;

/** The leaf of an entry: canonical JSON (RFC 8785). */
export function leafOf(entry: AuditEntry, salt: Buffer): string {
  const { id, occurredAt, actorId, action, subjectType, subjectId } = entry;
  const text = textHash(openingOf(entry, salt));
  return canonicalJson({ v: 1, id, occurredAt, actorId, action, subjectType, subjectId, text });
}

export function openingOf(entry: AuditEntry, salt: Buffer): AuditOpeningResponse {
  const { actorName, contentVersion, related, summary } = entry;
  return { salt: salt.toString('base64'), actorName, contentVersion, related, summary };
}

/** The member `text` of the leaf: base64url of a SHA-256. */
export function textHash(opening: AuditOpeningResponse): string {
  const { salt, actorName, contentVersion, related, summary } = opening;
  const text = Buffer.from(canonicalJson({ actorName, contentVersion, related, summary }));
  return hash('sha256', Buffer.concat([Buffer.from(salt, 'base64'), text]), 'base64url');
}

function canonicalJson(value: object): string {
  return canonicalize(value) as string;
}
