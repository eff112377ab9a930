import { type Source } from './source.js';

const MAX_SECTORS = 4096;
const END = 0xfffffffa;

/**
 * Returns the names of the entries in a Microsoft compound file ([MS-CFB]): the container of Office formats before 2007,
 * of Outlook messages, and of encrypted Office files. Empty if the file is damaged.
 */
export async function compoundFileEntries(source: Source): Promise<Set<string>> {
  const header = await source.read(0, 512);
  if (header.length < 512) return new Set();
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
  const names = new Set<string>();
  let sector = header.readUInt32LE(48);
  for (let count = 0; sector < END && count < MAX_SECTORS; count += 1) {
    const directory = await source.read(sectorAt(sector), sectorSize);
    for (let at = 0; at + 128 <= directory.length; at += 128) {
      const length = directory.readUInt16LE(at + 64);
      if (length >= 2 && length <= 64) names.add(directory.toString('utf16le', at, at + length - 2));
    }
    sector = await next(sector);
  }
  return names;
}
