import iconv from 'iconv-lite';

export interface TnefMessage {
  readonly subject: string;
  readonly body?: string;
  readonly attachments?: readonly {
    /** Name in the code page 1252. */
    readonly title?: string;
    /** Name in Unicode. */
    readonly longName?: string;
    /** Bytes, or an attached message. */
    readonly content: Buffer | TnefMessage;
  }[];
}

function uint32(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  values.forEach((value, index) => bytes.writeUInt32LE(value, index * 4));
  return bytes;
}

function attribute(level: number, id: number, value: Buffer): Buffer {
  return Buffer.concat([Buffer.from([level]), uint32(id, value.length), value, Buffer.alloc(2)]);
}

const ansi = (text: string) => iconv.encode(`${text}\0`, 'windows-1252');
const padded = (bytes: Buffer) => Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)]);

/** A property with one value of variable length. */
const property = (tag: number, value: Buffer) => Buffer.concat([uint32(tag, 1, value.length), padded(value)]);

/** Properties of other kinds, which a reader must skip: named by number and by text, of eight bytes, several values. */
const OTHERS = [
  Buffer.concat([uint32(0x80000003), Buffer.alloc(16), uint32(0, 0x8501, 7)]),
  Buffer.concat([
    uint32(0x8001001f),
    Buffer.alloc(16),
    uint32(1, 10),
    padded(Buffer.from('Name\0', 'utf16le')),
    uint32(1, 6),
    padded(Buffer.from('abc', 'utf16le')),
  ]),
  Buffer.concat([uint32(0x00390040), Buffer.alloc(8)]),
  Buffer.concat([
    uint32(0x6000101e, 2, 1),
    padded(Buffer.from('a')),
    uint32(5),
    padded(Buffer.from('bcdef')),
  ]),
  Buffer.concat([uint32(0x60011003, 2, 1, 2)]),
];

const properties = (...all: readonly Buffer[]) =>
  Buffer.concat([uint32(OTHERS.length + all.length), ...OTHERS, ...all]);

/** A `winmail.dat` ([MS-OXTNEF]). */
export function buildTnef({ subject, body, attachments = [] }: TnefMessage): Buffer {
  const pieces = [
    uint32(0x223e9f78),
    Buffer.alloc(2),
    attribute(1, 0x00069007, uint32(1252, 0)),
    attribute(1, 0x00018004, ansi(subject)),
    attribute(
      1,
      0x00069003,
      body === undefined ? properties() : properties(property(0x1000001e, ansi(body))),
    ),
  ];
  for (const { title, longName, content } of attachments) {
    pieces.push(attribute(2, 0x00069002, Buffer.alloc(14)));
    if (title !== undefined) pieces.push(attribute(2, 0x00018010, ansi(title)));
    if (Buffer.isBuffer(content)) pieces.push(attribute(2, 0x0006800f, content));
    const name =
      longName === undefined ? [] : [property(0x3707001f, Buffer.from(`${longName}\0`, 'utf16le'))];
    const inner = Buffer.isBuffer(content)
      ? []
      : [property(0x3701000d, Buffer.concat([Buffer.alloc(16), buildTnef(content)]))];
    pieces.push(attribute(2, 0x00069005, properties(...name, ...inner)));
  }
  return Buffer.concat(pieces);
}
