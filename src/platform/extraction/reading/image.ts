import { imageSize } from 'image-size';
import { type Extraction } from '../extractor.js';
import { ExtractionError } from './extraction-error.js';
import { type Source } from './source.js';

/** Bytes read to find the dimensions. Cameras may put large colour profiles and previews before them. */
const MAX_HEADER = 16 * 1024 * 1024;

/** Types whose dimensions can be read. */
export const TYPES_WITH_DIMENSIONS: ReadonlySet<string> = new Set([
  'image/jpeg',
  'image/png',
  'image/apng',
  'image/gif',
  'image/webp',
  'image/bmp',
  'image/heic',
  'image/heif',
  'image/avif',
  'image/jxl',
  'image/jp2',
  'image/jpx',
  'image/j2c',
  'image/x-icon',
  'image/vnd.adobe.photoshop',
]);

/** Width and height as stored, and the orientation (1 to 8, the same in EXIF and TIFF). */
interface StoredImage {
  readonly width: number;
  readonly height: number;
  readonly orientation: number;
}

/** @throws ExtractionError Corrupted */
export async function readImageHeader(source: Source): Promise<StoredImage> {
  const head = await source.read(0, MAX_HEADER);
  try {
    const { width, height, orientation = 1 } = imageSize(head);
    return { width, height, orientation };
  } catch (error) {
    throw new ExtractionError('Corrupted', (error as Error).message);
  }
}

/**
 * Returns width and height as displayed: the EXIF orientations 5 to 8 swap them.
 *
 * @throws ExtractionError Corrupted
 */
export async function readDimensions(source: Source): Promise<NonNullable<Extraction['image']>> {
  const { width, height, orientation } = await readImageHeader(source);
  return orientedSize(width, height, orientation);
}

function orientedSize(width: number, height: number, orientation = 1): NonNullable<Extraction['image']> {
  const valid = (length: number): boolean => Number.isInteger(length) && length > 0 && length < 2 ** 31;
  if (!valid(width) || !valid(height)) throw new ExtractionError('Corrupted', `${width} by ${height} pixels`);
  return orientation >= 5 && orientation <= 8 ? { width: height, height: width } : { width, height };
}

const WIDTH = 256;
const HEIGHT = 257;
const BITS = 258;
const ORIENTATION = 274;
const SAMPLES = 277;
const SUBFILE_TYPE = 254;
const MAX_DIRECTORIES = 10_000;

/** Size in bytes of the field types for dimensions: SHORT, LONG, and LONG8 of BigTIFF. */
const SIZES: Readonly<Record<number, number>> = { 3: 2, 4: 4, 16: 8 };

/**
 * Reads TIFF 6.0 and BigTIFF: the dimensions of the first image and the number of pages (image file directories without
 * thumbnails).
 *
 * @throws ExtractionError Corrupted
 */
export async function readTiff(source: Source): Promise<Pick<Extraction, 'image' | 'pageCount'>> {
  const reader = await DirectoryReader.open(source);
  let image: Extraction['image'] = null;
  let pageCount = 0;
  for await (const { fields, isThumbnail } of reader.directories()) {
    if (!isThumbnail) pageCount += 1;
    image ??= orientedSize(fields.get(WIDTH) ?? 0, fields.get(HEIGHT) ?? 0, fields.get(ORIENTATION));
  }
  if (!image) throw new ExtractionError('Corrupted', 'The TIFF has no image');
  return { image, pageCount: Math.max(pageCount, 1) };
}

interface TiffPage extends StoredImage {
  readonly bitsPerPixel: number;
}

interface Directory {
  readonly offset: number;
  readonly isThumbnail: boolean;
  /** Fields with a single number, by tag. */
  readonly fields: ReadonlyMap<number, number>;
  /** Offset of the next directory; 0: none. */
  readonly next: number;
  /** Where that offset is stored. */
  readonly nextPointer: number;
}

/** The directory of a page (from 1, without thumbnails). Null if the file has fewer pages. */
async function findPage(reader: DirectoryReader, number: number): Promise<Directory | null> {
  let pages = 0;
  for await (const directory of reader.directories()) {
    if (!directory.isThumbnail) pages += 1;
    if (pages === number) return directory;
  }
  return null;
}

/**
 * Describes a page (from 1, without thumbnails). Null if the file has fewer pages.
 *
 * @throws ExtractionError Corrupted, also for BigTIFF
 */
export async function findTiffPage(source: Source, number: number): Promise<TiffPage | null> {
  const reader = await DirectoryReader.open(source);
  if (reader.big) throw new ExtractionError('Corrupted', 'BigTIFF is not supported');
  const page = await findPage(reader, number);
  if (!page) return null;
  const { fields } = page;
  const [width, height] = [fields.get(WIDTH) ?? 0, fields.get(HEIGHT) ?? 0];
  orientedSize(width, height);
  const bitsPerPixel = (fields.get(SAMPLES) ?? 1) * (fields.get(BITS) ?? (fields.has(SAMPLES) ? 8 : 1));
  return { width, height, orientation: fields.get(ORIENTATION) ?? 1, bitsPerPixel };
}

/**
 * Returns the file with only one of its pages (from 1, without thumbnails). Null if the file has fewer pages.
 *
 * @throws ExtractionError Corrupted
 */
export async function onePageOfTiff(source: Source, number: number): Promise<Buffer | null> {
  const reader = await DirectoryReader.open(source);
  const page = await findPage(reader, number);
  if (!page) return null;
  const bytes = Buffer.from(await source.read(0, source.size));
  reader.writePointer(bytes, reader.big ? 8 : 4, page.offset);
  reader.writePointer(bytes, page.nextPointer, 0);
  return bytes;
}

class DirectoryReader {
  private constructor(
    private readonly source: Source,
    private readonly littleEndian: boolean,
    readonly big: boolean,
    private readonly first: number,
  ) {}

  static async open(source: Source): Promise<DirectoryReader> {
    const header = await source.read(0, 16);
    const littleEndian = header[0] === 0x49;
    if (header.length < 8) throw truncatedTiff();
    const big = number(header, 2, 2, littleEndian) === 43;
    if (big && header.length < 16) throw truncatedTiff();
    return new DirectoryReader(
      source,
      littleEndian,
      big,
      big ? number(header, 8, 8, littleEndian) : number(header, 4, 4, littleEndian),
    );
  }

  writePointer(bytes: Buffer, at: number, offset: number): void {
    if (this.big) bytes[this.littleEndian ? 'writeBigUInt64LE' : 'writeBigUInt64BE'](BigInt(offset), at);
    else bytes[this.littleEndian ? 'writeUInt32LE' : 'writeUInt32BE'](offset, at);
  }

  /** Stops at a cycle of directories. */
  async *directories(): AsyncGenerator<Directory> {
    const seen = new Set<number>();
    for (let offset = this.first; offset !== 0 && !seen.has(offset) && seen.size < MAX_DIRECTORIES;) {
      seen.add(offset);
      const directory = await this.#directory(offset);
      yield directory;
      offset = directory.next;
    }
  }

  async #directory(offset: number): Promise<Directory> {
    const [countSize, fieldSize, pointerSize] = this.big ? [8, 20, 8] : [2, 12, 4];
    const count = this.#number(await this.#bytes(offset, countSize), 0, countSize);
    if (count > 4096) throw new ExtractionError('Corrupted', `A TIFF directory has ${count} fields`);
    const bytes = await this.#bytes(offset + countSize, count * fieldSize + pointerSize);
    const fields = new Map<number, number>();
    for (let index = 0; index < count; index += 1) {
      const at = index * fieldSize;
      const size = SIZES[this.#number(bytes, at + 2, 2)];
      const values = this.#number(bytes, at + 4, pointerSize);
      if (size !== undefined && size <= pointerSize && values === 1)
        fields.set(this.#number(bytes, at, 2), this.#number(bytes, at + 4 + pointerSize, size));
    }
    const next = this.#number(bytes, count * fieldSize, pointerSize);
    const isThumbnail = ((fields.get(SUBFILE_TYPE) ?? 0) & 1) === 1;
    return { offset, isThumbnail, fields, next, nextPointer: offset + countSize + count * fieldSize };
  }

  async #bytes(offset: number, length: number): Promise<Buffer> {
    const bytes = await this.source.read(offset, length);
    if (bytes.length < length) throw truncatedTiff();
    return bytes;
  }

  #number(bytes: Buffer, at: number, size: number): number {
    return number(bytes, at, size, this.littleEndian);
  }
}

function truncatedTiff(): ExtractionError {
  return new ExtractionError('Corrupted', 'The TIFF is truncated');
}

function number(bytes: Buffer, at: number, size: number, littleEndian: boolean): number {
  if (size === 8) return Number(littleEndian ? bytes.readBigUInt64LE(at) : bytes.readBigUInt64BE(at));
  return littleEndian ? bytes.readUIntLE(at, size) : bytes.readUIntBE(at, size);
}
