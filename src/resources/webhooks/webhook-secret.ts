import { createHmac, randomBytes } from 'node:crypto';

/** Standard Webhooks recommends 24 to 64 bytes. */
const SECRET_BYTES = 32;

export function newSecret(): Buffer {
  return randomBytes(SECRET_BYTES);
}

/** A secret in the form of Standard Webhooks. */
export function presentSecret(secret: Buffer): string {
  return `whsec_${secret.toString('base64')}`;
}

/**
 * The value of `webhook-signature`: one signature for each secret.
 *
 * @param timestamp in seconds, as in `webhook-timestamp`
 */
export function signatures(secrets: readonly Buffer[], id: string, timestamp: number, body: string): string {
  return secrets
    .map((secret) => createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64'))
    .map((signature) => `v1,${signature}`)
    .join(' ');
}
