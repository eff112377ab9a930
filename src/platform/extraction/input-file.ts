import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Readable } from 'node:stream';
import { ReadingFailed } from './extractor.js';

const CHUNK = 1024 * 1024;

/**
 * The input file of a reading process: an unnamed file, open for reading in that process and for writing in this one.
 * Each file to read is copied into it. So the process needs no right to open files, whatever its user is.
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

  get descriptor(): number {
    return this.reader.fd;
  }

  /** Closes the read descriptor here. Call it after the process has started with its own copy. */
  async closeDescriptor(): Promise<void> {
    await this.reader.close();
  }

  /**
   * Replaces the content with a copy of `file`.
   *
   * @returns the size in bytes
   * @throws ReadingFailed when `file` cannot be opened
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

  /**
   * Replaces the content with the bytes of a stream.
   *
   * @param size in bytes, which the stream must have
   * @throws ReadingFailed when the stream has another size, or the error of the stream
   */
  async fill(stream: Readable, size: number): Promise<number> {
    let written = 0;
    try {
      await this.clear();
      for await (const chunk of stream as AsyncIterable<Buffer>) {
        if (written + chunk.length > size) throw new ReadingFailed(`The file has more than ${size} bytes`);
        await this.writer.write(chunk, 0, chunk.length, written);
        written += chunk.length;
      }
    } finally {
      stream.destroy();
    }
    if (written !== size) throw new ReadingFailed(`The file has ${written} of ${size} bytes`);
    return size;
  }

  async clear(): Promise<void> {
    await this.writer.truncate(0);
  }

  /** The system frees the file when the process has ended as well. */
  async close(): Promise<void> {
    await this.writer.close();
  }
}
