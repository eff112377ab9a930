import { type Hash, createHash } from 'node:crypto';
import { once } from 'node:events';
import { type WriteStream, createReadStream, createWriteStream } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import yazl from 'yazl';
import { ExportFailed } from './export-failed.js';

interface PackedContent {
  /** In bytes. */
  readonly size: number;
  /** ISO 8601. */
  readonly modifiedAt: string;
  readonly open: () => Promise<Readable> | Readable;
}

/** What yazl needs of an entry at the end. */
interface ZipEntry {
  readonly state: unknown;
  getCentralDirectoryRecord(): Buffer;
}

/** Bytes between two pauses. */
const STRIDE = 1024 * 1024;
/** ZIP has no earlier years. */
const FIRST_YEAR = '1980-01-02T00:00:00Z';
const MANIFEST = 'manifest-sha256.txt';
const TAG_MANIFEST = 'tagmanifest-sha256.txt';
const COMPRESSED = /^data\/_metadata\/|^data\/index\.html$|^[^/]+$/;

/**
 * Writes a ZIP that is a BagIt bag (RFC 8493), entry by entry. Keeps in memory only the list of entries; metadata and
 * manifests are in temporary files until the end.
 */
export class PackageWriter {
  private readonly zip = new yazl.ZipFile();
  /** The bytes of the package. Destroy it to stop writing. */
  readonly output = this.zip.outputStream as Readable;
  private readonly texts = new Map<string, WriteStream>();
  /** Rejects when the output ends. */
  private readonly closed: Promise<never>;
  /** Entries of the ZIP that are complete. */
  private readonly entries: ZipEntry[] = [];
  private payload = { bytes: 0, files: 0 };
  /** Of the last entry. */
  private source: Readable | undefined;

  /**
   * @param folder an empty folder for temporary files
   * @param now ISO 8601
   */
  constructor(
    private readonly folder: string,
    private readonly now: string,
  ) {
    this.zip.on('error', (error: Error) => this.output.destroy(error));
    this.closed = finished(this.output).then(() => {
      throw new Error('The package has ended');
    });
    this.closed.catch(() => undefined);
  }

  /** Text of the payload, which {@link end} adds to the package. `name` is its path. */
  async write(name: string, text: string): Promise<void> {
    let spool = this.texts.get(name);
    if (!spool) {
      const file = path.join(this.folder, String(this.texts.size));
      spool = createWriteStream(file, { flags: 'wx', mode: 0o600 });
      spool.on('error', (error) => this.output.destroy(error));
      this.texts.set(name, spool);
    }
    if (!spool.write(text)) await Promise.race([once(spool, 'drain'), this.closed]);
  }

  /**
   * Adds a content to the payload.
   *
   * @param expected SHA-256, lower-case hexadecimal
   * @throws ExportFailed if that of the bytes differs from it
   */
  async add(name: string, content: PackedContent, expected?: string): Promise<void> {
    const sha256 = await this.addEntry(name, content);
    if (expected !== undefined && sha256 !== expected) throw new ExportFailed('ContentDamaged', name);
    this.payload = { bytes: this.payload.bytes + content.size, files: this.payload.files + 1 };
    await this.write(MANIFEST, manifestLine(name, sha256));
  }

  /** @param info further lines of `bag-info.txt` */
  async end(info: Readonly<Record<string, string>>): Promise<void> {
    for (const name of [...this.texts.keys()].filter((text) => text !== MANIFEST))
      await this.add(name, await this.endText(name));
    const { bytes, files } = this.payload;
    const lines = Object.entries({ ...info, 'Payload-Oxum': `${bytes}.${files}` });
    await this.write('bagit.txt', 'BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n');
    await this.write('bag-info.txt', lines.map(([label, value]) => `${label}: ${value}\n`).join(''));
    for (const name of ['bagit.txt', 'bag-info.txt', MANIFEST])
      await this.write(TAG_MANIFEST, manifestLine(name, await this.addEntry(name, await this.endText(name))));
    await this.addEntry(TAG_MANIFEST, await this.endText(TAG_MANIFEST));
    const zip = this.zip as unknown as { entries: ZipEntry[] };
    zip.entries = [...this.entries, ...zip.entries];
    this.zip.end();
  }

  /** Stops writing, if the package is not complete. */
  close(): void {
    this.output.destroy();
    this.source?.destroy();
    for (const spool of this.texts.values()) spool.destroy();
  }

  private async endText(name: string): Promise<PackedContent> {
    const spool = this.texts.get(name) as WriteStream;
    spool.end();
    await finished(spool);
    return { size: spool.bytesWritten, modifiedAt: this.now, open: () => createReadStream(spool.path) };
  }

  /** Returns the SHA-256 of the bytes. Contents are not compressed again: most are compressed. */
  private async addEntry(name: string, content: PackedContent): Promise<string> {
    const { size, modifiedAt } = content;
    const hash = createHash('sha256');
    const mtime = new Date(modifiedAt < FIRST_YEAR ? FIRST_YEAR : modifiedAt);
    const read = new Promise<void>((resolve, reject) => {
      this.zip.addReadStreamLazy(name, { compress: COMPRESSED.test(name), size, mtime }, (callback) => {
        const source = Readable.from(paced(name, content, hash), { objectMode: false });
        this.source = source;
        source.once('end', resolve);
        source.once('error', reject);
        callback(null, source);
      });
    });
    await Promise.race([read, this.closed]);
    // yazl looks through its list of entries from the beginning for each entry: quadratic. Until the end, it has only the
    // last one.
    const { entries } = this.zip as unknown as { entries: ZipEntry[] };
    this.entries.push(...entries.splice(0, entries.length - 1).map(completeEntry));
    return hash.digest('hex');
  }
}

/** Without the stream of its content. As a string, because small buffers keep the larger ones that they are parts of. */
function completeEntry(entry: ZipEntry): ZipEntry {
  const record = entry.getCentralDirectoryRecord().toString('latin1');
  return { state: entry.state, getCentralDirectoryRecord: () => Buffer.from(record, 'latin1') };
}

function manifestLine(name: string, sha256: string): string {
  return `${sha256}  ${name}\n`;
}

/** Pauses as long as this process was busy, so that requests get their share of it. */
async function* paced(name: string, { size, open }: PackedContent, hash: Hash): AsyncGenerator<Buffer> {
  let read = 0;
  let since = 0;
  let began = performance.eventLoopUtilization();
  for await (const chunk of await open()) {
    hash.update(chunk as Buffer);
    yield chunk as Buffer;
    read += (chunk as Buffer).length;
    since += (chunk as Buffer).length;
    if (since < STRIDE) continue;
    await sleep(performance.eventLoopUtilization(began).active);
    since = 0;
    began = performance.eventLoopUtilization();
  }
  if (read !== size) throw new ExportFailed('ContentDamaged', name);
}
