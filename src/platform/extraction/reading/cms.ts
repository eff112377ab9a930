import { type Attachment, attachmentOf } from './attachments.js';
import { ExtractionError } from './extraction-error.js';
import { type Source } from './source.js';

export const CMS_TYPE = /^application\/(?:x-)?pkcs7-/;

/** Object identifiers (RFC 5652): signed data; enveloped and encrypted data, and enveloped data of RFC 5083. */
const SIGNED = '2a864886f70d010702';
const ENCRYPTED: ReadonlySet<string> = new Set([
  '2a864886f70d010703',
  '2a864886f70d010706',
  '2a864886f70d0109100117',
]);
const ANY_OF_THEM = new RegExp(`^(?:${[SIGNED, ...ENCRYPTED].join('|')})`);

/** Tags of BER (X.690). The bit 0x20 means that the value consists of elements. */
const OBJECT_IDENTIFIER = 0x06;
const OCTET_STRING = 0x04;
const CONSTRUCTED = 0x20;
/** Maximum nesting depth of elements without a length. Real files have fewer than ten. */
const MAX_ELEMENT_DEPTH = 50;

/** The bytes of a file that may be in base64, also with the lines of PEM. */
export function decodeCms(bytes: Buffer): Buffer {
  const start = bytes.toString('latin1', 0, 256);
  const pem = /^\s*-----BEGIN [A-Z0-9 #]{1,40}-----\s*(?=MI)/.exec(start)?.[0] ?? '';
  if (pem === '' && !/^\s*MI[\w+/\s]{20}/.test(start)) return bytes;
  return Buffer.from(bytes.toString('latin1', pem.length).split('-----', 1)[0] ?? '', 'base64');
}

/** Whether bytes begin a signed or encrypted CMS (PKCS #7); null for anything else. */
export function cmsKind(bytes: Buffer): 'signed' | 'encrypted' | null {
  if (bytes[0] !== 0x30 || bytes.length < 32) return null;
  const at = valueOf(bytes, 0).start;
  if (bytes[at] !== OBJECT_IDENTIFIER) return null;
  const found = ANY_OF_THEM.exec(bytes.toString('hex', at + 2, at + 13))?.[0];
  if (found === undefined) return null;
  return found === SIGNED ? 'signed' : 'encrypted';
}

/**
 * The content of signed data; null if it is elsewhere, as for a signature in a file of its own.
 *
 * @throws ExtractionError Corrupted
 */
export function signedContent(bytes: Buffer): Buffer | null {
  const contentType = valueOf(bytes, 0).start;
  const signedData = valueOf(bytes, after(bytes, contentType)).start;
  const version = valueOf(bytes, signedData).start;
  const contentInfo = after(bytes, after(bytes, version));
  const { start, end } = valueOf(bytes, contentInfo);
  const wrapper = after(bytes, start);
  if ((end !== null && wrapper >= end) || bytes[wrapper] !== 0xa0) return null;
  const content = valueOf(bytes, wrapper).start;
  if (((bytes[content] ?? 0) & ~CONSTRUCTED) !== OCTET_STRING) return null;
  const pieces: Buffer[] = [];
  collect(bytes, content, pieces, 0);
  return Buffer.concat(pieces);
}

/** The content of a signed file; null if it is elsewhere. Its name is that of the signed file without `.p7m`. */
export async function fileInSignedFile(
  source: Source,
  fileName: string | null,
  limit: number,
): Promise<Attachment | null> {
  if (source.size > limit) throw new ExtractionError('MemoryLimitExceeded', `${source.size} bytes`);
  const content = signedContent(decodeCms(await source.read(0, source.size)));
  // Signed messages have few fields. The bytes decide about everything else.
  return (
    content && attachmentOf(fileName?.replace(/\.p7[ms]$/i, '') ?? null, () => content, 'message/rfc822')
  );
}

/** Adds the bytes of an octet string, which may consist of others. */
function collect(bytes: Buffer, at: number, pieces: Buffer[], depth: number): void {
  const { start, end } = valueOf(bytes, at);
  if (depth > MAX_ELEMENT_DEPTH) throw new ExtractionError('Corrupted', 'elements are nested too deeply');
  if (((bytes[at] ?? 0) & CONSTRUCTED) === 0) {
    pieces.push(bytes.subarray(start, end ?? start));
    return;
  }
  for (let child = start; !isEnd(bytes, child, end); child = after(bytes, child))
    collect(bytes, child, pieces, depth + 1);
}

/** The position after an element. */
function after(bytes: Buffer, at: number, depth = 0): number {
  const { start, end } = valueOf(bytes, at);
  if (end !== null) return end;
  if (depth > MAX_ELEMENT_DEPTH) throw new ExtractionError('Corrupted', 'elements are nested too deeply');
  let child = start;
  while (!isEnd(bytes, child, null)) child = after(bytes, child, depth + 1);
  return child + 2;
}

function isEnd(bytes: Buffer, at: number, end: number | null): boolean {
  return end === null ? bytes[at] === 0 && bytes[at + 1] === 0 : at >= end;
}

/** Where the value of an element starts and ends; `end` is null if two zeros end it. */
function valueOf(bytes: Buffer, at: number): { readonly start: number; readonly end: number | null } {
  const first = bytes[at + 1];
  if (first === undefined) throw new ExtractionError('Corrupted', 'an element is not complete');
  if (first === 0x80) return { start: at + 2, end: null };
  const start = at + 2 + (first < 0x80 ? 0 : first & 0x7f);
  const length = first < 0x80 ? first : parseInt(bytes.toString('hex', at + 2, start) || '0', 16);
  return { start, end: start + length };
}
