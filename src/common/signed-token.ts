import { createHmac, timingSafeEqual } from 'node:crypto';

const MAC_BYTES = 16;

/**
 * A token for the address of a link: the payload and its HMAC-SHA-256, cut to 128 bits, as Base64url. Everyone can read
 * the payload.
 *
 * @param purpose separates tokens that use the same key. No purpose may be the beginning of another one.
 */
export function signToken(key: Buffer, purpose: string, payload: Buffer): string {
  return Buffer.concat([payload, mac(key, purpose, payload)]).toString('base64url');
}

/** The payload of the token. Null if the token was not signed with this key for this purpose. */
export function readToken(key: Buffer, purpose: string, token: string): Buffer | null {
  const bytes = Buffer.from(token, 'base64url');
  // Node ignores invalid characters and superfluous bits.
  if (bytes.length < MAC_BYTES || bytes.toString('base64url') !== token) return null;
  const payload = bytes.subarray(0, -MAC_BYTES);
  return timingSafeEqual(bytes.subarray(-MAC_BYTES), mac(key, purpose, payload)) ? payload : null;
}

function mac(key: Buffer, purpose: string, payload: Buffer): Buffer {
  return createHmac('sha256', key).update(purpose).update(payload).digest().subarray(0, MAC_BYTES);
}
