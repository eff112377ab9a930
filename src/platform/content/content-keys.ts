import { isUuid } from '../../common/text.js';

const SHA256 = /^[0-9a-f]{64}$/;

export function temporaryKey(token: string): string {
  if (!isUuid(token)) throw new Error('Not a token of this store.');
  return `incoming/${token}`;
}

export function tenantFolder(tenantId: string): string {
  if (!isUuid(tenantId)) throw new Error('Not the id of a tenant.');
  return `objects/${tenantId.toLowerCase()}`;
}

/** The first two digits of the hash are a folder, which limits the number of entries per folder. */
export function keptKey(tenantId: string, sha256: string): string {
  if (!SHA256.test(sha256)) throw new Error('Not a SHA-256 in lower-case hexadecimal.');
  return `${tenantFolder(tenantId)}/${sha256.slice(0, 2)}/${sha256}`;
}

export function parseKeptKey(key: string): { tenantId: string; sha256: string } | null {
  const [root, tenantId, prefix = '', sha256 = '', ...more] = key.split('/');
  const known = root === 'objects' && more.length === 0 && isUuid(tenantId);
  return known && SHA256.test(sha256) && sha256.startsWith(prefix) && prefix.length === 2
    ? { tenantId, sha256 }
    : null;
}

export function parseTemporaryKey(key: string): string | null {
  const [root, token, ...more] = key.split('/');
  return root === 'incoming' && more.length === 0 && isUuid(token) ? token : null;
}
