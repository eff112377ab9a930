import { type FileHandle, open } from 'node:fs/promises';

/** The bytes cannot be had: a fault of the machine, about which the file is innocent. */
export class SourceFault extends Error {
  constructor(cause: unknown) {
    super(`The file cannot be read: ${(cause as Error).message}`, { cause });
    this.name = 'SourceFault';
  }
}

/** Bytes to look into, a file's or those of an attachment. */
export interface Source {
  readonly size: number;
  /** Null for what is no file of its own. */
  readonly path: string | null;
  /** Fewer than asked for only at the end. */
  read(position: number, length: number): Promise<Buffer>;
  /** From the first byte on. */
  chunks(): AsyncIterable<Buffer>;
}

const CHUNK = 256 * 1024;

async function* chunksOf(source: Source): AsyncGenerator<Buffer> {
  for (let position = 0; position < source.size; position += CHUNK) yield source.read(position, CHUNK);
}

export class FileSource implements Source {
  private constructor(
    private readonly handle: FileHandle,
    readonly path: string,
    readonly size: number,
  ) {}

  static async open(path: string): Promise<FileSource> {
    try {
      const handle = await open(path, 'r');
      return new FileSource(handle, path, (await handle.stat()).size);
    } catch (error) {
      throw new SourceFault(error);
    }
  }

  async read(position: number, length: number): Promise<Buffer> {
    const wanted = Math.max(0, Math.min(length, this.size - position));
    const buffer = Buffer.allocUnsafe(wanted);
    let read = 0;
    try {
      while (read < wanted) {
        const { bytesRead } = await this.handle.read(buffer, read, wanted - read, position + read);
        if (bytesRead === 0) break;
        read += bytesRead;
      }
    } catch (error) {
      throw new SourceFault(error);
    }
    return buffer.subarray(0, read);
  }

  chunks(): AsyncIterable<Buffer> {
    return chunksOf(this);
  }

  close(): Promise<void> {
    return this.handle.close();
  }
}

export class BufferSource implements Source {
  readonly path = null;
  readonly size: number;

  constructor(private readonly bytes: Buffer) {
    this.size = bytes.length;
  }

  async read(position: number, length: number): Promise<Buffer> {
    return this.bytes.subarray(position, position + length);
  }

  chunks(): AsyncIterable<Buffer> {
    return chunksOf(this);
  }
}
