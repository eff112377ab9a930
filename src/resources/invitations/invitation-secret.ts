import { createHash, randomBytes } from 'node:crypto';

/** 256 random bits, as they can stand in a URL. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** What is stored of a secret. Random bits cannot be guessed from it, so that a plain hash is enough. */
export function hashOfSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

/**
 * The link that an invited person gets. The secret stands in the fragment, which browsers send to nobody: it is in no
 * log of a server or proxy, and in no Referer.
 */
export function acceptUrl(page: string, tenantSlug: string, secret: string): string {
  return `${page}#${new URLSearchParams({ tenant: tenantSlug, secret }).toString()}`;
}
