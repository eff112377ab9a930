import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';

/** PostgreSQL's default (scram_iterations). */
const ITERATIONS = 4096;
const SALT_BYTES = 16;

/**
 * The SCRAM verifier of a password, in PostgreSQL's storage format (RFC 5802 and 7677). Statements contain it instead
 * of the password, because the server's log can contain whole statements.
 *
 * @param password ASCII only, because SASLprep is not implemented here.
 */
export function scramVerifier(password: string, salt = randomBytes(SALT_BYTES)): string {
  const salted = pbkdf2Sync(password, salt, ITERATIONS, 32, 'sha256');
  const keyOf = (name: string) => createHmac('sha256', salted).update(name).digest();
  const storedKey = createHash('sha256').update(keyOf('Client Key')).digest('base64');
  const serverKey = keyOf('Server Key').toString('base64');
  return `SCRAM-SHA-256$${ITERATIONS}:${salt.toString('base64')}$${storedKey}:${serverKey}`;
}
