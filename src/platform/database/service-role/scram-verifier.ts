import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';

/** PostgreSQL's own default (scram_iterations). */
const ITERATIONS = 4096;
const SALT_BYTES = 16;

/**
 * What PostgreSQL stores for a password, in its own format (RFC 5802 and 7677). Sent in place of the password, it keeps
 * the password out of the server's log, which can contain whole statements.
 *
 * @param password ASCII only, because this does not prepare it by SASLprep
 */
export function scramVerifier(password: string, salt = randomBytes(SALT_BYTES)): string {
  const salted = pbkdf2Sync(password, salt, ITERATIONS, 32, 'sha256');
  const keyOf = (name: string) => createHmac('sha256', salted).update(name).digest();
  const storedKey = createHash('sha256').update(keyOf('Client Key')).digest('base64');
  const serverKey = keyOf('Server Key').toString('base64');
  return `SCRAM-SHA-256$${ITERATIONS}:${salt.toString('base64')}$${storedKey}:${serverKey}`;
}
