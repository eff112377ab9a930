import { type Source } from './source.js';

const MAX_SECTORS = 4096;
const END = 0xfffffffa;
const SMALL_SECTOR = 64;

/** Numbers of other entries; positions in {@link Entry} are those of [MS-CFB] 2.6.1. */
interface Entry {
  readonly name: string;
  readonly left: number;
  readonly right: number;
  readonly child: number;
  readonly sector: number;
  readonly size: number;
}

/**
 * The root of a Microsoft compound file ([MS-CFB]): the container of Office formats before 2007, of Outlook messages, and
 * of encrypted Office files. Embedded objects are in storages below the root. Empty if the file is damaged.
 */
export class CompoundFile {
  /** By name in lower case: names have no case. */
  readonly #children = new Map<string, Entry>();
  #root: Entry | undefined;
  readonly #sectorSize: number;

  private constructor(
    private readonly source: Source,
    private readonly header: Buffer,
  ) {
    this.#sectorSize = 2 ** Math.min(header.readUInt16LE(30), 16);
  }

  static async open(source: Source): Promise<CompoundFile> {
    const header = await source.read(0, 512);
    const file = new CompoundFile(source, Buffer.concat([header, Buffer.alloc(512 - header.length, 0xff)]));
    const entries = await file.#entries();
    file.#root = entries[0];
    const seen = new Set<number>();
    const waiting = [entries[0]?.child ?? END];
    for (let index = waiting.pop(); index !== undefined; index = waiting.pop()) {
      const entry = entries[index];
      if (!entry || seen.has(index)) continue;
      seen.add(index);
      file.#children.set(entry.name.toLowerCase(), entry);
      waiting.push(entry.left, entry.right);
    }
    return file;
  }

  has(name: string): boolean {
    return this.#children.has(name.toLowerCase());
  }

  /** The first bytes of a stream, at most 512; empty if it does not exist. */
  async startOf(name: string): Promise<Buffer> {
    const entry = this.#children.get(name.toLowerCase());
    if (!entry) return Buffer.alloc(0);
    const length = Math.min(512, entry.size);
    if (entry.size >= this.header.readUInt32LE(56))
      return this.source.read(this.#positionOf(entry.sector), length);
    // Small streams are in a stream of their own, which belongs to the root.
    const offset = entry.sector * SMALL_SECTOR;
    let sector = this.#root?.sector ?? END;
    for (let steps = Math.floor(offset / this.#sectorSize); steps > 0 && sector < END; steps -= 1)
      sector = await this.#next(sector);
    return sector < END
      ? this.source.read(this.#positionOf(sector) + (offset % this.#sectorSize), length)
      : Buffer.alloc(0);
  }

  async #entries(): Promise<Entry[]> {
    const entries: Entry[] = [];
    let sector = this.header.readUInt32LE(48);
    for (let count = 0; sector < END && count < MAX_SECTORS; count += 1) {
      const directory = await this.source.read(this.#positionOf(sector), this.#sectorSize);
      for (let at = 0; at + 128 <= directory.length; at += 128) {
        const length = Math.min(64, Math.max(2, directory.readUInt16LE(at + 64)));
        entries.push({
          name: directory.toString('utf16le', at, at + length - 2),
          left: directory.readUInt32LE(at + 68),
          right: directory.readUInt32LE(at + 72),
          child: directory.readUInt32LE(at + 76),
          sector: directory.readUInt32LE(at + 116),
          size: directory.readUInt32LE(at + 120),
        });
      }
      sector = await this.#next(sector);
    }
    return entries;
  }

  #positionOf(sector: number): number {
    return (sector + 1) * this.#sectorSize;
  }

  /** Uses only the 109 allocation sectors listed in the header. They cover 7 MB; the directory is near the start. */
  async #next(sector: number): Promise<number> {
    const perSector = this.#sectorSize / 4;
    const index = Math.floor(sector / perSector);
    if (index >= 109) return END;
    const table = this.#positionOf(this.header.readUInt32LE(76 + index * 4));
    const entry = await this.source.read(table + (sector % perSector) * 4, 4);
    return entry.length === 4 ? entry.readUInt32LE() : END;
  }
}
