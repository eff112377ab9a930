import { read } from 'node:fs';
import { promisify } from 'node:util';

const readDescriptor = promisify(read);

/** The bytes cannot be read because of the machine, not because of the file. */
export class SourceReadError extends Error {
  constructor(cause: unknown) {
    super(`The file cannot be read: ${(cause as Error).message}`, { cause });
    this.name = 'SourceReadError';
  }
}

/** Input bytes: a file or an attachment. */
export interface Source {
  readonly size: number;
  /** Returns fewer than `length` bytes only at the end. */
  read(position: number, length: number): Promise<Buffer>;
  chunks(): AsyncIterable<Buffer>;
}

const CHUNK = 256 * 1024;

async function* chunksOf(source: Source): AsyncGenerator<Buffer> {
  for (let position = 0; position < source.size; position += CHUNK) yield source.read(position, CHUNK);
}

export class FileSource implements Source {
  constructor(
    private readonly descriptor: number,
    readonly size: number,
  ) {}

  async read(position: number, length: number): Promise<Buffer> {
    const wanted = Math.max(0, Math.min(length, this.size - position));
    const buffer = Buffer.allocUnsafe(wanted);
    let done = 0;
    try {
      while (done < wanted) {
        const { bytesRead } = await readDescriptor(
          this.descriptor,
          buffer,
          done,
          wanted - done,
          position + done,
        );
        if (bytesRead === 0) throw new Error('unexpected end of the file');
        done += bytesRead;
      }
    } catch (error) {
      throw new SourceReadError(error);
    }
    return buffer;
  }

  chunks(): AsyncIterable<Buffer> {
    return chunksOf(this);
  }
}

/** The bytes of another source from `start` to before `end`. */
export class SourceSlice implements Source {
  readonly size: number;

  constructor(
    private readonly source: Source,
    private readonly start: number,
    end = source.size,
  ) {
    this.size = end - start;
  }

  read(position: number, length: number): Promise<Buffer> {
    const wanted = Math.max(0, Math.min(length, this.size - position));
    return this.source.read(this.start + position, wanted);
  }

  chunks(): AsyncIterable<Buffer> {
    return chunksOf(this);
  }
}

export class BufferSource implements Source {
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
