import { type Attachment, attachmentOf } from './attachments.js';
import { decodeDetected } from './decode-text.js';
import { ExtractionError } from './extraction-error.js';
import { readMapiBody } from './outlook-message.js';
import { type Source } from './source.js';
import { type TextOutput } from './text-output.js';

export const TNEF_TYPE = 'application/vnd.ms-tnef';

/** Attributes of [MS-OXTNEF] 2.1.3.2, without their type. */
const SUBJECT = 0x8004;
const BODY = 0x800c;
const ATTACHMENT_DATA = 0x800f;
const ATTACHMENT_TITLE = 0x8010;
const ATTACHMENT_START = 0x9002;
const MESSAGE_PROPERTIES = 0x9003;
const ATTACHMENT_PROPERTIES = 0x9005;
const CODE_PAGE = 0x9007;

/** Property types of [MS-OXCDATA] 2.11.1. */
const STRING8 = 0x1e;
const UNICODE = 0x1f;
const VARIABLE: ReadonlySet<number> = new Set([0x0d, STRING8, UNICODE, 0x102]);
const EIGHT_BYTES: ReadonlySet<number> = new Set([0x05, 0x06, 0x07, 0x14, 0x40]);
const GUID = 0x48;
const MULTIPLE = 0x1000;
/** An object begins with the identifier of its interface. */
const OBJECT = 0x0d;
const IDENTIFIER_LENGTH = 16;

interface Property {
  readonly type: number;
  readonly value: Buffer;
}
type Properties = Map<number, Property>;

interface TnefAttachment {
  title?: Buffer;
  data?: Buffer;
  properties: Properties;
}

/**
 * Adds the text of a file in the Transport Neutral Encapsulation Format ([MS-OXTNEF], `winmail.dat`): subject and body.
 *
 * @param limit maximum number of bytes read
 * @returns the attachments
 */
export async function readTnef(source: Source, output: TextOutput, limit: number): Promise<Attachment[]> {
  const attributes = new Map<number, Buffer>();
  const attachments: TnefAttachment[] = [];
  for (const [id, value] of attributesOf(await source.read(0, limit))) {
    if (id === ATTACHMENT_START) attachments.push({ properties: new Map() });
    const attachment = attachments.at(-1);
    if (!attachment) attributes.set(id, value);
    else if (id === ATTACHMENT_TITLE) attachment.title = value;
    else if (id === ATTACHMENT_DATA) attachment.data = value;
    else if (id === ATTACHMENT_PROPERTIES) attachment.properties = propertiesOf(value);
  }
  const page = attributes.get(CODE_PAGE);
  const charset = page && page.length >= 4 ? `cp${page.readUInt32LE()}` : undefined;
  const text = (property: Property | undefined): string | undefined =>
    property &&
    (property.type === UNICODE
      ? property.value.toString('utf16le')
      : decodeDetected(property.value, charset)
    ).replace(/\0[^]*$/, '');
  const text8 = (value: Buffer | undefined) => text(value && { type: STRING8, value });

  const message = propertiesOf(attributes.get(MESSAGE_PROPERTIES) ?? Buffer.alloc(0));
  output.add(`${text(message.get(0x0037)) ?? text8(attributes.get(SUBJECT)) ?? ''}\n\n`);
  await readMapiBody(
    {
      body: text(message.get(0x1000)) ?? text8(attributes.get(BODY)),
      html: message.get(0x1013)?.value,
      compressedRtf: message.get(0x1009)?.value,
    },
    output,
  );
  return attachments.map(({ title, data, properties }) => {
    const names = [0x3707, 0x3704, 0x3001].map((id) => text(properties.get(id)));
    const object = properties.get(0x3701);
    const inner = object?.type === OBJECT ? object.value.subarray(IDENTIFIER_LENGTH) : object?.value;
    const fileName = names.find(Boolean) ?? (text8(title) || null);
    return attachmentOf(fileName, () => data ?? inner ?? Buffer.alloc(0));
  });
}

/** Yields number and value of each attribute. The end may be missing. */
function* attributesOf(bytes: Buffer): Generator<readonly [number, Buffer]> {
  const [FILE_HEADER, HEADER, CHECKSUM] = [6, 9, 2];
  for (let at = FILE_HEADER; at + HEADER <= bytes.length;) {
    const start = at + HEADER;
    const end = start + bytes.readUInt32LE(at + 5);
    yield [bytes.readUInt16LE(at + 1), bytes.subarray(start, end)];
    at = end + CHECKSUM;
  }
}

/**
 * The properties with texts or bytes, by number; of several values the first.
 *
 * @throws ExtractionError Corrupted
 */
function propertiesOf(bytes: Buffer): Properties {
  const found: Properties = new Map();
  let at = 0;
  const next = (): number => {
    if (at + 4 > bytes.length) throw new ExtractionError('Corrupted', 'a property is not complete');
    at += 4;
    return bytes.readUInt32LE(at - 4);
  };
  const skip = (length: number): Buffer => {
    const value = bytes.subarray(at, at + length);
    // Values are padded to four bytes.
    at += Math.ceil(length / 4) * 4;
    return value;
  };
  for (let left = bytes.length === 0 ? 0 : next(); left > 0; left -= 1) {
    const tag = next();
    const type = tag & 0xfff;
    const id = tag >>> 16;
    if (id >= 0x8000) {
      skip(IDENTIFIER_LENGTH);
      const isNamed = next() === 1;
      const numberOrLength = next();
      if (isNamed) skip(numberOrLength);
    }
    const isVariable = VARIABLE.has(type);
    for (let values = isVariable || tag & MULTIPLE ? next() : 1; values > 0; values -= 1) {
      if (at > bytes.length) throw new ExtractionError('Corrupted', 'a value is not complete');
      const value = skip(isVariable ? next() : EIGHT_BYTES.has(type) ? 8 : type === GUID ? 16 : 4);
      if (isVariable && !found.has(id)) found.set(id, { type, value });
    }
  }
  return found;
}
