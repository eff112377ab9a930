import { type Entry, burn } from '@kenjiuno/msgreader/lib/Burner.js';

export interface OutlookMessage {
  readonly subject: string;
  readonly body?: string;
  readonly html?: string;
  readonly compressedRtf?: Buffer;
  /** The code page of its texts and their encoding; without it they are in Unicode. */
  readonly codePage?: { readonly number: number; readonly encode: (text: string) => Buffer };
  readonly attachments?: readonly { readonly name: string; readonly content: Buffer }[];
}

const DIRECTORY = 1;
const DOCUMENT = 2;
const ROOT = 5;

/** Property types of [MS-OXCDATA] 2.11.1. */
const UNICODE = '001F';
const STRING8 = '001E';
const BINARY = '0102';

export interface Folder {
  readonly [name: string]: Buffer | Folder;
}

/** An Outlook message ([MS-OXMSG]) from Anna to Bert. */
export function buildOutlookMessage(message: OutlookMessage): Buffer {
  const { subject, body, html, compressedRtf, codePage, attachments = [] } = message;
  const text = (tag: string, value: string): Folder =>
    codePage
      ? { [property(tag, STRING8)]: codePage.encode(value) }
      : { [property(tag, UNICODE)]: Buffer.from(value, 'utf16le') };
  return buildStorages({
    '__properties_version1.0': Buffer.concat([
      Buffer.alloc(32),
      ...(codePage ? [codePageProperty(codePage.number)] : []),
    ]),
    ...text('0037', subject),
    ...text('0C1A', 'Anna Absender'),
    ...text('5D01', 'anna@example.com'),
    ...(body === undefined ? {} : text('1000', body)),
    ...(html === undefined ? {} : { [property('1013', BINARY)]: Buffer.from(html) }),
    ...(compressedRtf === undefined ? {} : { [property('1009', BINARY)]: compressedRtf }),
    '__recip_version1.0_#00000000': {
      '__properties_version1.0': Buffer.alloc(8),
      ...text('3001', 'Bert Empfänger'),
      ...text('39FE', 'bert@example.com'),
    },
    ...Object.fromEntries(
      attachments.map(({ name, content }, index) => [
        `__attach_version1.0_#0000000${index}`,
        {
          '__properties_version1.0': Buffer.alloc(8),
          ...text('3707', name),
          [property('3701', BINARY)]: content,
        },
      ]),
    ),
  });
}

const property = (tag: string, type: string) => `__substg1.0_${tag}${type}`;

/** PidTagMessageCodepage ([MS-OXMSG] 2.4.2.1). */
function codePageProperty(number: number): Buffer {
  const bytes = Buffer.alloc(16);
  bytes.writeUInt32LE(0x3ffd0003, 0);
  bytes.writeUInt32LE(number, 8);
  return bytes;
}

/** A compound file ([MS-CFB]) of storages and streams. */
export function buildStorages(root: Folder): Buffer {
  const entries: Entry[] = [];
  const add = (name: string, value: Buffer | Folder, type = DIRECTORY): number => {
    const index = entries.length;
    if (Buffer.isBuffer(value)) {
      entries.push({
        name,
        type: DOCUMENT,
        length: value.length,
        binaryProvider: () => Uint8Array.from(value),
      });
      return index;
    }
    const children: number[] = [];
    entries.push({ name, type, length: 0, children });
    for (const [child, inner] of Object.entries(value)) children.push(add(child, inner));
    return index;
  };
  add('Root Entry', root, ROOT);
  return Buffer.from(burn(entries));
}
