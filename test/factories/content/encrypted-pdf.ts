import { createHash } from 'node:crypto';
import { buildPdfOfStream, pageContent } from './pdf-files.js';

const PADDING = Buffer.from('28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a', 'hex');
const FILE_ID = Buffer.from('0123456789abcdef0123456789abcdef', 'hex');
/** Allows everything. */
const PERMISSIONS = -4;

/** A PDF with one page, encrypted with this user password (standard security handler, revision 2; ISO 32000-1, 7.6.3). */
export function buildEncryptedPdf(userPassword: string, lines: readonly string[]): Buffer {
  const user = padded(userPassword);
  const owner = rc4(md5(padded('owner')).subarray(0, 5), user);
  const permissions = Buffer.alloc(4);
  permissions.writeInt32LE(PERMISSIONS);
  const key = md5(user, owner, permissions, FILE_ID).subarray(0, 5);
  const encrypt = (object: number, bytes: Buffer): Buffer =>
    rc4(md5(key, Buffer.from([object, 0, 0, 0, 0])).subarray(0, 10), bytes);
  return buildPdfOfStream('<<>>', encrypt(5, pageContent(lines)), {
    trailer: `/ID [<${FILE_ID.toString('hex')}> <${FILE_ID.toString('hex')}>] /Encrypt <</Filter /Standard /V 1 /R 2 /P ${PERMISSIONS} /O <${owner.toString('hex')}> /U <${rc4(key, PADDING).toString('hex')}>>>`,
  });
}

function padded(password: string): Buffer {
  return Buffer.concat([Buffer.from(password, 'latin1'), PADDING]).subarray(0, 32);
}

function md5(...parts: readonly Buffer[]): Buffer {
  return createHash('md5').update(Buffer.concat(parts)).digest();
}

/** Implemented here, because OpenSSL 3 has moved RC4 to its legacy provider. */
function rc4(key: Buffer, bytes: Buffer): Buffer {
  const state = Array.from({ length: 256 }, (_, index) => index);
  const at = (index: number): number => state[index & 255] ?? 0;
  const swap = (a: number, b: number): void => {
    [state[a & 255], state[b & 255]] = [at(b), at(a)];
  };
  for (let i = 0, j = 0; i < 256; i += 1) {
    j = (j + at(i) + (key[i % key.length] ?? 0)) & 255;
    swap(i, j);
  }
  let j = 0;
  return Buffer.from(bytes).map((byte, index) => {
    const i = index + 1;
    j = (j + at(i)) & 255;
    swap(i, j);
    return byte ^ at(at(i) + at(j));
  }) as Buffer;
}
