import { type Source } from './source.js';

const MAX_SECTORS = 4096;
const END = 0xfffffffa;

/**
 * Returns the entries in a Microsoft compound file ([MS-CFB]): the container of Office formats before 2007, of Outlook
 * messages, and of encrypted Office files. Empty if the file is damaged.
 *
 * @returns name and position of the first bytes; null for small streams, which are in a container of their own
 */
export async function compoundFileEntries(source: Source): Promise<Map<string, number | null>> {
  const header = await source.read(0, 512);
  if (header.length < 512) return new Map();
  const smallest = header.readUInt32LE(56);
  const sectorSize = 2 ** Math.min(header.readUInt16LE(30), 16);
  const sectorAt = (sector: number): number => (sector + 1) * sectorSize;
  /** Uses only the 109 allocation sectors listed in the header. They cover 7 MB; the directory is near the start. */
  const next = async (sector: number): Promise<number> => {
    const perSector = sectorSize / 4;
    const index = Math.floor(sector / perSector);
    if (index >= 109) return END;
    const entry = await source.read(
      sectorAt(header.readUInt32LE(76 + index * 4)) + (sector % perSector) * 4,
      4,
    );
    return entry.length === 4 ? entry.readUInt32LE() : END;
  };
  const entries = new Map<string, number | null>();
  let sector = header.readUInt32LE(48);
  for (let count = 0; sector < END && count < MAX_SECTORS; count += 1) {
    const directory = await source.read(sectorAt(sector), sectorSize);
    for (let at = 0; at + 128 <= directory.length; at += 128) {
      const length = directory.readUInt16LE(at + 64);
      if (length < 2 || length > 64) continue;
      const name = directory.toString('utf16le', at, at + length - 2);
      const isLarge = directory.readUInt32LE(at + 120) >= smallest;
      entries.set(name, isLarge ? sectorAt(directory.readUInt32LE(at + 116)) : null);
    }
    sector = await next(sector);
  }
  return entries;
}
