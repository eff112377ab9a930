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

const CHUNK = 256 * 1024;

/** Input bytes: a file or an attachment. */
export abstract class Source {
  constructor(readonly size: number) {}

  /** Returns fewer than `length` bytes only at the end. */
  abstract read(position: number, length: number): Promise<Buffer>;

  async *chunks(length = CHUNK): AsyncGenerator<Buffer> {
    for (let position = 0; position < this.size; position += length) yield this.read(position, length);
  }
}

export class FileSource extends Source {
  constructor(
    private readonly descriptor: number,
    size: number,
  ) {
    super(size);
  }

  override async read(position: number, length: number): Promise<Buffer> {
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
}

/** The bytes of another source from `start` to before `end`. */
export class SourceSlice extends Source {
  constructor(
    private readonly source: Source,
    private readonly start: number,
    end = source.size,
  ) {
    super(end - start);
  }

  override read(position: number, length: number): Promise<Buffer> {
    const wanted = Math.max(0, Math.min(length, this.size - position));
    return this.source.read(this.start + position, wanted);
  }
}

export class BufferSource extends Source {
  constructor(private readonly bytes: Buffer) {
    super(bytes.length);
  }

  override async read(position: number, length: number): Promise<Buffer> {
    return this.bytes.subarray(position, position + length);
  }
}
