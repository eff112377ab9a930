/** An element of DER (X.690). */
function element(tag: number, ...content: readonly Buffer[]): Buffer {
  const value = Buffer.concat(content);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(value.length);
  return Buffer.concat([Buffer.from([tag, 0x84]), length, value]);
}

/** An element without a length, which two zeros end (BER). */
function open(tag: number, ...content: readonly Buffer[]): Buffer {
  return Buffer.concat([Buffer.from([tag, 0x80]), ...content, Buffer.from([0, 0])]);
}

const dataType = (last: number) =>
  Buffer.concat([Buffer.from('06092a864886f70d0107', 'hex'), Buffer.from([last])]);
const VERSION = Buffer.from('020101', 'hex');
const NO_ALGORITHMS = Buffer.from('3100', 'hex');
const NO_SIGNERS = Buffer.from('3100', 'hex');

/** Signed data (RFC 5652) without signers. Null: the content is elsewhere. */
export function buildSignedFile(content: Buffer | string | null): Buffer {
  const text = content === null ? [] : [element(0xa0, element(0x04, Buffer.from(content)))];
  const signed = element(0x30, VERSION, NO_ALGORITHMS, element(0x30, dataType(1), ...text), NO_SIGNERS);
  return element(0x30, dataType(2), element(0xa0, signed));
}

/** The same as a program writes it that does not know the length before: the content in two pieces. */
export function buildStreamedSignedFile(content: string): Buffer {
  const bytes = Buffer.from(content);
  const pieces = [bytes.subarray(0, 3), bytes.subarray(3)].map((piece) => element(0x04, piece));
  const text = open(0xa0, open(0x24, ...pieces));
  const signed = open(0x30, VERSION, NO_ALGORITHMS, open(0x30, dataType(1), text), NO_SIGNERS);
  return open(0x30, dataType(2), open(0xa0, signed));
}

/** Enveloped data (RFC 5652): only its type. */
export function buildEnvelopedFile(): Buffer {
  return element(0x30, dataType(3), element(0xa0, element(0x30, VERSION, element(0x31))));
}
