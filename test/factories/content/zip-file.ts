import { crc32, deflateRawSync } from 'node:zlib';

export interface ZipEntry {
  /** Bytes for a name that is not in UTF-8. */
  readonly name: string | Buffer;
  readonly content: string | Buffer;
  /** Whether to store the entry uncompressed. OpenDocument requires that for the first entry. */
  readonly stored?: boolean;
  /** A wrong size for the directory. */
  readonly claimedSize?: number;
  /** A wrong checksum for the directory. */
  readonly claimedChecksum?: number;
  /** Bit 0 of the general purpose flags. */
  readonly encrypted?: boolean;
}

/** Format: APPNOTE.TXT, 4.3. */
export function buildZip(entries: readonly ZipEntry[]): Buffer {
  const local: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const content = Buffer.from(entry.content);
    const data = entry.stored ? content : deflateRawSync(content, { level: content.length > 1e6 ? 1 : 6 });
    const name = Buffer.from(entry.name);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(entry.encrypted ? 1 : 0, 2);
    common.writeUInt16LE(entry.stored ? 0 : 8, 4);
    common.writeUInt16LE(0x5a21, 8);
    common.writeUInt32LE(entry.claimedChecksum ?? crc32(content), 10);
    common.writeUInt32LE(data.length, 14);
    common.writeUInt32LE(entry.claimedSize ?? content.length, 18);
    common.writeUInt16LE(name.length, 22);
    local.push(Buffer.from('PK\x03\x04', 'latin1'), common, name, data);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    central.push(Buffer.from('PK\x01\x02\x14\x00', 'latin1'), common, rest, name);
    offset += 30 + name.length + data.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...local, directory, end]);
}
