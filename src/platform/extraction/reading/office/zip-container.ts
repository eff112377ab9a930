import { type Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import yauzl, { type Entry, type ZipFile } from 'yauzl';
import { ExtractionError } from '../extraction-error.js';
import { type Source, SourceReadError } from '../source.js';
import { SourceReader } from './source-reader.js';

/** No Office file has anywhere near as many; each costs memory. */
const MAX_ENTRIES = 65_535;

/**
 * The parts of a ZIP file, decompressed as they are read. What all parts that are read decompress to is counted and
 * limited; a size that the directory announces counts before a byte is read.
 *
 * @throws ExtractionError Corrupted, Encrypted or OutputLimitExceeded, from every method
 */
export class ZipContainer {
  #left: number;

  private constructor(
    private readonly zip: ZipFile,
    private readonly entries: ReadonlyMap<string, Entry>,
    decompressed: number,
  ) {
    this.#left = decompressed;
  }

  /** @param decompressed most bytes that may come out of it */
  static async open(source: Source, decompressed: number): Promise<ZipContainer> {
    return withExtractionErrors(async () => {
      const zip = await yauzl.fromRandomAccessReaderPromise(new SourceReader(source), source.size, {
        autoClose: false,
        lazyEntries: true,
      });
      if (zip.entryCount > MAX_ENTRIES)
        throw new ExtractionError('OutputLimitExceeded', `${zip.entryCount} entries`);
      const entries = new Map<string, Entry>();
      for await (const entry of zip.eachEntry()) {
        // Of two with one name the first is read, and always the same one.
        if (!entries.has(entry.fileName)) entries.set(entry.fileName, entry);
      }
      return new ZipContainer(zip, entries, decompressed);
    });
  }

  get names(): string[] {
    return [...this.entries.keys()];
  }

  has(name: string): boolean {
    return this.entries.has(name);
  }

  /** Names that match, in the order of the numbers in them: slide2 before slide10. */
  matching(pattern: RegExp): string[] {
    const numbers = (name: string): number => Number(/(\d+)\.\w+$/.exec(name)?.[1] ?? 0);
    return this.names.filter((name) => pattern.test(name)).sort((a, b) => numbers(a) - numbers(b));
  }

  /** Stopping early is allowed. A part that is not there is empty. */
  async *read(name: string): AsyncGenerator<Buffer> {
    const entry = this.entries.get(name);
    if (!entry) return;
    if (entry.isEncrypted()) throw new ExtractionError('Encrypted', `${name} is encrypted`);
    if (entry.uncompressedSize > this.#left) throw limitExceeded(name);
    let stream: Readable | undefined;
    try {
      stream = await this.zip.openReadStreamPromise(entry);
      let checksum = 0;
      for await (const chunk of stream as AsyncIterable<Buffer>) {
        this.#left -= chunk.length;
        if (this.#left < 0) throw limitExceeded(name);
        checksum = crc32(chunk, checksum);
        yield chunk;
      }
      if (checksum !== entry.crc32) throw new ExtractionError('Corrupted', `${name} fails its checksum`);
    } catch (error) {
      throw toExtractionError(error);
    } finally {
      stream?.destroy();
    }
  }

  /** A small part as text. */
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

function limitExceeded(name: string): ExtractionError {
  return new ExtractionError('OutputLimitExceeded', `${name} grows beyond the limit when it is decompressed`);
}

function toExtractionError(error: unknown): Error {
  return error instanceof ExtractionError || error instanceof SourceReadError
    ? error
    : new ExtractionError('Corrupted', (error as Error).message);
}

async function withExtractionErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw toExtractionError(error);
  }
}
