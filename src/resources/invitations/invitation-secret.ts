import { createHash, randomBytes } from 'node:crypto';

/** 256 random bits, encoded for a URL. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** The stored hash of a secret. A plain hash is enough, because the secret is random and long. */
export function hashOfSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

/**
 * Returns the invitation link. The secret is in the fragment, which browsers never send: it is in no log of a
 * server or proxy, and in no Referer header.
 */
export function acceptUrl(page: string, tenantSlug: string, secret: string): string {
  return `${page}#${new URLSearchParams({ tenant: tenantSlug, secret }).toString()}`;
}
