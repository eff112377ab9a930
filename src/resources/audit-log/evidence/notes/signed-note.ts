import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';

/** Signed notes of C2SP (c2sp.org/signed-note) with Ed25519. */

const ED25519 = 1;
/** DER of an Ed25519 key (RFC 8410) up to its 32 bytes. */
const PRIVATE_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');
const PUBLIC_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');
export const KEY_BYTES = 32;
const KEY_ID_BYTES = 4;
const SIGNATURE_BYTES = 64;

export interface SigningKey {
  readonly privateKey: KeyObject;
  readonly publicKey: Buffer;
}

export interface VerifierKey {
  readonly name: string;
  readonly publicKey: Buffer;
}

/** @param seed 32 random bytes: the private key of RFC 8032 */
export function signingKeyOf(seed: Buffer): SigningKey {
  const der = Buffer.concat([PRIVATE_PREFIX, seed]);
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  const publicKey = createPublicKey(privateKey).export({ format: 'der', type: 'spki' });
  return { privateKey, publicKey: publicKey.subarray(PUBLIC_PREFIX.length) };
}

/** The key as one line of text: `<name>+<id in hexadecimal>+<Base64>`. */
export function verifierLine({ name, publicKey }: VerifierKey): string {
  const id = keyId(name, publicKey).toString('hex');
  return `${name}+${id}+${Buffer.concat([Buffer.of(ED25519), publicKey]).toString('base64')}`;
}

/** Null if the line is not a verifier key of Ed25519. */
export function parseVerifierLine(line: string): VerifierKey | null {
  const [, name = '', id = '', data = ''] =
    /^([^\s+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]+={0,2})$/.exec(line) ?? [];
  const bytes = Buffer.from(data, 'base64');
  if (bytes.length !== 1 + KEY_BYTES || bytes[0] !== ED25519) return null;
  const publicKey = bytes.subarray(1);
  return keyId(name, publicKey).toString('hex') === id ? { name, publicKey } : null;
}

/** @param text ends with a newline */
export function signNote(text: string, name: string, key: SigningKey): string {
  const signature = sign(null, Buffer.from(text), key.privateKey);
  const line = Buffer.concat([keyId(name, key.publicKey), signature]).toString('base64');
  return `${text}\n— ${name} ${line}\n`;
}

/** The text of a note that one of the keys has signed; null if none has. */
export function openNote(note: string, keys: readonly VerifierKey[]): string | null {
  const end = note.lastIndexOf('\n\n');
  if (end < 0 || !note.endsWith('\n')) return null;
  const text = note.slice(0, end + 1);
  const lines = note.slice(end + 2, -1).split('\n');
  const isSigned = lines.some((line) => {
    const [, name, data = ''] = /^— ([^\s+]+) ([A-Za-z0-9+/]+={0,2})$/.exec(line) ?? [];
    const bytes = Buffer.from(data, 'base64');
    if (bytes.length !== KEY_ID_BYTES + SIGNATURE_BYTES) return false;
    return keys.some(
      (key) =>
        key.name === name &&
        keyId(name, key.publicKey).equals(bytes.subarray(0, KEY_ID_BYTES)) &&
        verify(null, Buffer.from(text), publicKeyOf(key), bytes.subarray(KEY_ID_BYTES)),
    );
  });
  return isSigned ? text : null;
}

function publicKeyOf({ publicKey }: VerifierKey): KeyObject {
  return createPublicKey({ key: Buffer.concat([PUBLIC_PREFIX, publicKey]), format: 'der', type: 'spki' });
}

function keyId(name: string, publicKey: Buffer): Buffer {
  const hash = createHash('sha256').update(`${name}\n`).update(Buffer.of(ED25519)).update(publicKey);
  return hash.digest().subarray(0, KEY_ID_BYTES);
}
