import { isUtf8 } from 'node:buffer';
import { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import yauzl, { type Entry, type ZipFile } from 'yauzl';
import { ExtractionError } from '../extraction-error.js';
import { type Source, SourceReadError, SourceSlice } from '../source.js';

/** Limits the memory for entries. Real Office files have far fewer. */
const MAX_ENTRIES = 65_535;
/** General purpose flag 11: name and comment are UTF-8 (APPNOTE.TXT, appendix D). */
const UTF8_NAME = 0x800;

/** Maximum size of an entry in memory, in bytes. */
const MAX_IN_MEMORY = 64 * 1024 * 1024;

/** The decompressed bytes that may still be read. Containers inside each other share one. */
export interface DecompressionBudget {
  remaining: number;
}

export interface ZipEntry {
  readonly name: string;
  readonly read: () => AsyncIterable<Buffer>;
}

/**
 * Reads the parts of a ZIP file. A part whose size in the directory exceeds the rest of the budget is rejected before it
 * is read.
 *
 * @throws ExtractionError Corrupted, Encrypted or OutputLimitExceeded, from every method
 */
export class ZipContainer {
  readonly #byName = new Map<string, Entry>();

  private constructor(
    private readonly zip: ZipFile,
    private readonly all: readonly Entry[],
    private readonly budget: DecompressionBudget,
  ) {
    // Use the first of several entries with the same name.
    for (const entry of all) if (!this.#byName.has(entry.fileName)) this.#byName.set(entry.fileName, entry);
  }

  /** @param anyNames whether names may be absolute paths and contain `..` */
  static async open(
    source: Source,
    budget: DecompressionBudget,
    { anyNames = false } = {},
  ): Promise<ZipContainer> {
    try {
      const zip = await yauzl.fromRandomAccessReaderPromise(new SourceReader(source), await zipSize(source), {
        autoClose: false,
        lazyEntries: true,
        // The library checks only names that it decodes.
        decodeStrings: !anyNames,
      });
      if (zip.entryCount > MAX_ENTRIES)
        throw new ExtractionError('OutputLimitExceeded', `${zip.entryCount} entries`);
      const entries: Entry[] = [];
      for await (const entry of zip.eachEntry()) {
        entry.fileName = nameOf(entry);
        entries.push(entry);
      }
      return new ZipContainer(zip, entries, budget);
    } catch (error) {
      throw toExtractionError(error);
    }
  }

  get names(): string[] {
    return [...this.#byName.keys()];
  }

  has(name: string): boolean {
    return this.#byName.has(name);
  }

  /** Matching names in numerical order: slide2 before slide10. */
  matching(pattern: RegExp): string[] {
    const numbers = (name: string): number => Number(/(\d+)\.\w+$/.exec(name)?.[1] ?? 0);
    return this.names.filter((name) => pattern.test(name)).sort((a, b) => numbers(a) - numbers(b));
  }

  /** All entries in the order of the directory, also several with the same name. */
  get entries(): ZipEntry[] {
    return this.all.map((entry) => ({ name: entry.fileName, read: () => this.#read(entry) }));
  }

  /** Yields a part; nothing if it does not exist. The caller may stop early. */
  async *read(name: string): AsyncGenerator<Buffer> {
    const entry = this.#byName.get(name);
    if (entry) yield* this.#read(entry);
  }

  async *#read(entry: Entry): AsyncGenerator<Buffer> {
    const name = entry.fileName;
    if (entry.isEncrypted()) throw new ExtractionError('Encrypted', `${name} is encrypted`);
    if (entry.uncompressedSize > this.budget.remaining) throw limitExceeded(name);
    let stream: Readable | undefined;
    try {
      stream = await this.zip.openReadStreamPromise(entry);
      let checksum = 0;
      for await (const chunk of stream as AsyncIterable<Buffer>) {
        this.budget.remaining -= chunk.length;
        if (this.budget.remaining < 0) throw limitExceeded(name);
        checksum = crc32(chunk, checksum);
        yield chunk;
      }
      if (checksum !== entry.crc32)
        throw new ExtractionError('Corrupted', `the checksum of ${name} is wrong`);
    } catch (error) {
      throw toExtractionError(error);
    } finally {
      stream?.destroy();
    }
  }

  /** Returns the first `limit` bytes of a part as text. */
  async text(name: string, limit = 1024 * 1024): Promise<string> {
    const chunks: Buffer[] = [];
    let length = 0;
    for await (const chunk of this.read(name)) {
      chunks.push(chunk);
      length += chunk.length;
      if (length >= limit) break;
    }
    return Buffer.concat(chunks).subarray(0, limit).toString('utf8');
  }
}

/** Info-ZIP writes UTF-8 without the flag that says so. Names in code page 437 or 850 are hardly ever valid UTF-8. */
function nameOf({ generalPurposeBitFlag, fileNameRaw, extraFields }: Entry): string {
  const flags = isUtf8(fileNameRaw) ? generalPurposeBitFlag | UTF8_NAME : generalPurposeBitFlag;
  return yauzl.getFileNameLowLevel(flags, fileNameRaw, extraFields, false);
}

/** @throws ExtractionError also when the entry is too large for the memory */
export async function entryBytes({ name, read }: ZipEntry): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of read()) {
    length += chunk.length;
    if (length > MAX_IN_MEMORY) throw limitExceeded(name);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function limitExceeded(name: string): ExtractionError {
  return new ExtractionError('OutputLimitExceeded', `${name} is too large`);
}

function toExtractionError(error: unknown): Error {
  return error instanceof ExtractionError || error instanceof SourceReadError
    ? error
    : new ExtractionError('Corrupted', (error as Error).message);
}

const CHUNK = 64 * 1024;

class SourceReader extends yauzl.RandomAccessReader {
  constructor(private readonly source: Source) {
    super();
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(new SourceSlice(this.source, start, end).chunks(CHUNK), { objectMode: false });
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null) => void,
  ): void {
    this.source.read(position, length).then(
      (bytes) => {
        bytes.copy(buffer, offset);
        callback(bytes.length < length ? new Error('unexpected end of the file') : null);
      },
      (error: unknown) => callback(error as Error),
    );
  }

  override close(callback: (error: Error | null) => void): void {
    callback(null);
  }
}

const END_RECORD = 'PK\x05\x06';
const END_RECORD_SIZE = 22;
const MAX_COMMENT = 0xffff;

/**
 * The size of a ZIP file without zeros after its end, which fill blocks of some stores and tapes. The library expects the
 * end record at the end of the file.
 */
async function zipSize(source: Source): Promise<number> {
  const end = await sizeWithoutZeros(source);
  const start = Math.max(0, end - END_RECORD_SIZE - MAX_COMMENT);
  // The record itself usually ends with zeros.
  const tail = await source.read(start, end + END_RECORD_SIZE - start);
  const at = tail.lastIndexOf(END_RECORD, undefined, 'latin1');
  if (at < 0 || at + END_RECORD_SIZE > tail.length) return source.size;
  const size = start + at + END_RECORD_SIZE + tail.readUInt16LE(at + END_RECORD_SIZE - 2);
  return size < end ? source.size : Math.min(size, source.size);
}

async function sizeWithoutZeros(source: Source): Promise<number> {
  for (let end = source.size; end > 0; end -= CHUNK) {
    const start = Math.max(0, end - CHUNK);
    const chunk = await source.read(start, end - start);
    const last = chunk.findLastIndex((byte) => byte !== 0);
    if (last >= 0) return start + last + 1;
  }
  return 0;
}
