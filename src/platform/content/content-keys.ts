import { isUuid } from '../../common/text.js';

const SHA256 = /^[0-9a-f]{64}$/;

/** Where received bytes are, in every kind of store: `incoming/<token>`. */
export function temporaryKey(token: string): string {
  if (!isUuid(token)) throw new Error('Not a token of this store.');
  return `incoming/${token}`;
}

/**
 * Where kept bytes are: `objects/<tenant>/<aa>/<sha256>`, `aa` being the first two digits of the hash, so that no
 * folder grows too long to list.
 */
export function keptKey(tenantId: string, sha256: string): string {
  if (!isUuid(tenantId)) throw new Error('Not the id of a tenant.');
  if (!SHA256.test(sha256)) throw new Error('Not a SHA-256 in lower-case hexadecimal.');
  return `objects/${tenantId.toLowerCase()}/${sha256.slice(0, 2)}/${sha256}`;
}

/** What {@link keptKey} was made of; null for what it did not make. */
export function parseKeptKey(key: string): { tenantId: string; sha256: string } | null {
  const [root, tenantId, prefix = '', sha256 = '', ...more] = key.split('/');
  const known = root === 'objects' && more.length === 0 && isUuid(tenantId);
  return known && SHA256.test(sha256) && sha256.startsWith(prefix) && prefix.length === 2
    ? { tenantId, sha256 }
    : null;
}

/** The token that {@link temporaryKey} made it of; null for what it did not make. */
export function parseTemporaryKey(key: string): string | null {
  const [root, token, ...more] = key.split('/');
  return root === 'incoming' && more.length === 0 && isUuid(token) ? token : null;
}
