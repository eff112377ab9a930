import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ReadingFailed } from './extractor.js';

const CHUNK = 1024 * 1024;

/**
 * The one file that a reading process has: without a name, open for reading there and for writing here. What is to be
 * read is copied into it, so that the process needs no right to open files, whoever it runs as.
 */
export class InputFile {
  private constructor(
    private readonly writer: FileHandle,
    private readonly reader: FileHandle,
  ) {}

  static async create(folder = tmpdir()): Promise<InputFile> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const file = path.join(folder, randomUUID());
    const writing = await open(file, 'wx', 0o600);
    try {
      return new InputFile(writing, await open(file, 'r'));
    } catch (error) {
      await writing.close();
      throw error;
    } finally {
      await rm(file, { force: true });
    }
  }

  /** To be given to the process. */
  get descriptor(): number {
    return this.reader.fd;
  }

  /** The process has its own by now. */
  async closeDescriptor(): Promise<void> {
    await this.reader.close();
  }

  /**
   * @returns the size
   * @throws ReadingFailed when the file cannot be opened
   */
  async copyFrom(file: string): Promise<number> {
    const source = await open(file, 'r').catch((error: Error) => {
      throw new ReadingFailed(`The file cannot be read: ${error.message}`);
    });
    const buffer = Buffer.allocUnsafe(CHUNK);
    let size = 0;
    try {
      await this.clear();
      for (;;) {
        const { bytesRead } = await source.read(buffer, 0, CHUNK, size);
        if (bytesRead === 0) return size;
        await this.writer.write(buffer, 0, bytesRead, size);
        size += bytesRead;
      }
    } finally {
      await source.close();
    }
  }

  async clear(): Promise<void> {
    await this.writer.truncate(0);
  }

  /** What is left of it goes when the process has ended, too. */
  async close(): Promise<void> {
    await this.writer.close();
  }
}
